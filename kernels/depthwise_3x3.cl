// The depthwise 3x3 convolution with bias and clamp.
//
//   y[r, c, n] = clamp(bias[n] + sum over i, j of x[s r + i - before, s c + j - before, n] w[i, j, n], low, high)
//
// with zeros for x outside the picture, above, below, left and right.
//
// Buffers, of floats, x and y STORED (activations.cl); channels are padded with zeros to a multiple of 16:
//
//   x        [pictures][size][size][channels]
//   weights  [channels / 16][9][16]             row by row of the window
//   bias     [channels]
//   y        [pictures][outputSize][outputSize][channels]
//
//        c ->   COLUMNS outputs of one row      A work item keeps the nine weights of LANES channels in registers and
//      +---+---+---+---+                        slides over COLUMNS outputs of a row.
//   r  | y | y | y | y |  x LANES channels
//      +---+---+---+---+
//
// Work group: GROUP_X vectors of channels by GROUP_Y strips of columns by GROUP_Z rows. Neighbours along x read
// neighbouring memory. No local memory and no barriers: see convolution_1x1.cl.
//
//   LANES    channels per work item: 4 on GPUs, or 8 or 16
//   COLUMNS  outputs per work item: 1 or 2 on GPUs, which want many work items
//   GROUP_X, GROUP_Y, GROUP_Z  as above

__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z)))
kernel void depthwise_3x3(
    global const STORED *x, global const VECTOR *weights, global const VECTOR *bias, global STORED *y, int pictures,
    int size, int outputSize, int channels, int stride, int before, float low, float high) {
  const uint vectors = channels / LANES;
  const uint vector = get_global_id(0);
  const int firstColumn = get_global_id(1) * COLUMNS;
  const int row = get_global_id(2);
  const int picture = row / outputSize;
  if (vector >= vectors || firstColumn >= outputSize || picture >= pictures) return;

  // Rows are numbered through all pictures. A row of the window that lies outside its picture gets weights of zero and
  // reads another row, which saves a branch at each output.
  const int firstRow = picture * size;
  const int top = row * stride + picture * (size - outputSize * stride) - before;
  VECTOR w[9];
  int start[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    start[i] = clamp(top + i, firstRow, firstRow + size - 1);
    const int isInside = start[i] == top + i;
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const VECTOR weight = weights[(vector / PARTS * 9 + i * 3 + j) * PARTS + vector % PARTS];
      w[i * 3 + j] = isInside ? weight : (VECTOR)0;
    }
  }
  const int output = row * outputSize * vectors + vector;
  const int endColumn = min(firstColumn + COLUMNS, outputSize);
  for (int column = firstColumn; column < endColumn; ++column) {
    const int left = column * stride - before;
    VECTOR sum = bias[vector];
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      if (left + j < 0 || left + j >= size) continue;
#pragma unroll
      for (int i = 0; i < 3; ++i) sum += LOAD(x, (start[i] * size + left + j) * vectors + vector) * w[i * 3 + j];
    }
    STORE(clamp(sum, low, high), y, output + column * vectors);
  }
}
