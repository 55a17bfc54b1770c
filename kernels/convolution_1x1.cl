// The 1x1 convolution: a matrix product with bias, clamp and residual in one pass.
//
//   y[p, n] = clamp(bias[n] + sum over k of x[p, k] w[k, n], low, high) + residual[p, n]
//
// Buffers, of floats, or STORED where said (activations.cl); channels are padded with zeros to a multiple of 16:
//
//   x         [pixels][inputStride] STORED    pixels of all pictures of the batch, one after the other
//   weights   [outputStride / 16][inputs][16]
//   bias      [outputStride]
//   residual  [pixels][outputStride] STORED   read only if hasResidual
//   y         [pixels][outputStride] STORED
//
//              n: LANES outputs                 A work item keeps ROWS x LANES sums in registers. For each k it reads
//             +---------------+                 one vector of weights and one number of each of its rows; the weights
//             |    weights    | k               of a tile of 16 outputs are one run of memory.
//             +---------------+
//     k
//   +-----+   +---------------+
//   |  x  |   |       y       | p: ROWS pixels
//   +-----+   +---------------+
//
// Work group: GROUP_X vectors of outputs by GROUP_Y tiles of pixels. Neighbours along x read the same pixels, so groups
// walk over all outputs before they go on to new pixels. No local memory and no barriers: the caches serve the
// re-reads. Processors take whole pictures instead: whole_network.cl.
//
//   ROWS     pixels per work item: 4 on GPUs
//   LANES    outputs per work item: 4 or 8 on GPUs, or 16
//   GROUP_X  4 on GPUs (16 / LANES, so that groups are full at any number of outputs)
//   GROUP_Y  work items of a group along the pixels

__attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
kernel void convolution_1x1(
    global const STORED *x, global const VECTOR *weights, global const VECTOR *bias, global const STORED *residual,
    global STORED *y, int pixels, int inputs, int inputStride, int outputStride, float low, float high,
    int hasResidual) {
  const uint vectors = outputStride / LANES;
  const uint vector = get_global_id(0);
  const int first = get_global_id(1) * ROWS;
  if (vector >= vectors || first >= pixels) return;

  // Rows beyond the end repeat the last one, so that the loops below have no branches.
  int row[ROWS];
  VECTOR sum[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    row[r] = min(first + r, pixels - 1);
    sum[r] = bias[vector];
  }
  global const VECTOR *w = weights + vector / PARTS * inputs * PARTS + vector % PARTS;
  for (int k = 0; k < inputs; ++k) {
    const VECTOR weight = w[k * PARTS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) sum[r] += LOAD_ONE(x, row[r] * inputStride + k) * weight;
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int index = row[r] * vectors + vector;
    VECTOR result = clamp(sum[r], low, high);
    if (hasResidual) result += LOAD(residual, index);
    STORE(result, y, index);
  }
}
