// The global average: the mean of each channel over all pixels of a picture.
//
//   y[picture, n] = (sum over p of x[picture, p, n]) / pixels
//
// Buffers, y of floats, x STORED (activations.cl); channels are padded with zeros to a multiple of 16:
//
//   x  [pictures][pixels][channels]
//   y  [pictures][channels]           the first picture is number firstPicture
//
// Work group: GROUP vectors of LANES channels of one picture. Neighbours read neighbouring memory.
//
//   LANES  channels per work item: 4 on GPUs, or 8 or 16
//   GROUP  work items of a group

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void pool(global const STORED *x, global VECTOR *y, int firstPicture, int pixels, int channels) {
  const int vectors = channels / LANES;
  const int vector = get_global_id(0);
  const int picture = get_global_id(1);
  if (vector >= vectors) return;

  VECTOR sum = 0;
  for (int pixel = 0; pixel < pixels; ++pixel) sum += LOAD(x, (picture * pixels + pixel) * vectors + vector);
  y[(firstPicture + picture) * vectors + vector] = sum / (float)pixels;
}
