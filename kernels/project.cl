// From descriptors to bytes: L1 norm, PCA, unit length, one byte per component.
//
//   g = f / sum f    p = components (g - mean)    u = p / |p|, 0 if |p| is 0    byte = clip(round(254 u) + 128, 0, 255)
//
// in two kernels, since a component needs all of f, and a byte all components.
//
// Buffers:
//
//   f           [pictures][inputStride] float
//   mean        [inputs] float
//   components  [inputs][64] float                by columns: the 64 numbers that one input is multiplied with
//   p           [pictures][64] float
//   bytes       [pictures][byteStride] uchar      the content vector comes first in each row
//
// Work groups: project_components, GROUP vectors of LANES components of one picture; each sums f for itself, which is
// little next to its products. project_bytes, 64 components of one picture.
//
//   LANES  components per work item: 16 on CPUs with wide vectors, 4 on GPUs
//   GROUP  64 / LANES

#define JOIN(a, b) a##b
#define VECTOR_OF(lanes) JOIN(float, lanes)
#define VECTOR VECTOR_OF(LANES)
#define COMPONENTS 64

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void project_components(
    global const float *f, global const float *mean, global const VECTOR *components, global VECTOR *p, int inputs,
    int inputStride) {
  const int vector = get_global_id(0);
  const int picture = get_global_id(1);
  global const float *descriptor = f + picture * inputStride;

  float total = 0;
  for (int k = 0; k < inputs; ++k) total += descriptor[k];
  const float scale = total > 0 ? 1 / total : 0;
  VECTOR sum = 0;
  for (int k = 0; k < inputs; ++k) {
    sum += (descriptor[k] * scale - mean[k]) * components[k * (COMPONENTS / LANES) + vector];
  }
  p[picture * (COMPONENTS / LANES) + vector] = sum;
}

__attribute__((reqd_work_group_size(COMPONENTS, 1, 1)))
kernel void project_bytes(global const float *p, global uchar *bytes, int byteStride) {
  const int component = get_global_id(0);
  const int picture = get_global_id(1);
  global const float *projected = p + picture * COMPONENTS;

  float squares = 0;
  for (int k = 0; k < COMPONENTS; ++k) squares += projected[k] * projected[k];
  const float unit = squares > 0 && squares < INFINITY ? projected[component] / sqrt(squares) : 0;
  bytes[picture * byteStride + component] = convert_uchar_sat(round(254 * unit) + 128);
}
