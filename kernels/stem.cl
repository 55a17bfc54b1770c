// The first layer: scales bytes and convolves 3x3 pixels of three colours with stride 2, with bias and clamp.
//
//   y[r, c, n] = clamp(bias[n] + sum over i, j, k of s(x[2 r + i - before, 2 c + j - before, k]) w[i, j, k, n], 0, 6)
//   s(v of colour k) = v scale[k] + shift[k]
//
// The padding is zero after the scaling, which is why the scaling can't be folded into weights and bias.
//
// Buffers:
//
//   x        [pictures][size][size][3] uchar   RGB; the first picture is number firstPicture
//   scaling  [6] float                         scale of R, G, B, shift of R, G, B
//   weights  [channels / 16][27][16] float     row, column, colour
//   bias     [channels] float
//   y        [pictures][outputSize][outputSize][channels] STORED (activations.cl), channels padded to a multiple of 16
//
// Work group: GROUP_X vectors of channels by GROUP_Y strips of columns by GROUP_Z rows, as in depthwise_3x3.cl: a work
// item computes COLUMNS outputs of a row, LANES channels each.
//
//   LANES    channels per work item: 4 on GPUs, or 8 or 16
//   COLUMNS  outputs per work item: 1 or 2 on GPUs, which want many work items
//   GROUP_X, GROUP_Y, GROUP_Z  as above

__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z)))
kernel void stem(
    global const uchar *x, global const float *scaling, global const VECTOR *weights, global const VECTOR *bias,
    global STORED *y, int firstPicture, int pictures, int size, int outputSize, int channels, int before) {
  const uint vectors = channels / LANES;
  const uint vector = get_global_id(0);
  const int firstColumn = get_global_id(1) * COLUMNS;
  const int row = get_global_id(2);
  const int picture = row / outputSize;
  if (vector >= vectors || firstColumn >= outputSize || picture >= pictures) return;

  // Rows are numbered through all pictures.
  const int firstRow = picture * size;
  const int top = row * 2 + picture * (size - outputSize * 2) - before;
  global const VECTOR *w = weights + vector / PARTS * 27 * PARTS + vector % PARTS;
  global const uchar *input = x + (size_t)firstPicture * size * size * 3;
  const int output = row * outputSize * vectors + vector;
  const int endColumn = min(firstColumn + COLUMNS, outputSize);
  for (int column = firstColumn; column < endColumn; ++column) {
    const int left = column * 2 - before;
    VECTOR sum = bias[vector];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      if (top + i < firstRow || top + i >= firstRow + size) continue;
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        if (left + j < 0 || left + j >= size) continue;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
          const float value = input[((top + i) * size + left + j) * 3 + k];
          sum += (value * scaling[k] + scaling[3 + k]) * w[((i * 3 + j) * 3 + k) * PARTS];
        }
      }
    }
    STORE(clamp(sum, 0.0f, 6.0f), y, output + column * vectors);
  }
}
