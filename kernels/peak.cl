// What a device can do at best, for comparison: kernels that only read memory, or only multiply and add.
//
//   sum_of_memory: sums[i] = sum over j of x[i + j items]        of 64-byte vectors
//   float_rate:    each work item steps CHAINS sums of 16 floats: s = s * a + b
//   integer_rate:  the same with ints
//
// Buffers:
//
//   x      [count] float16      a whole number of vectors for each work item
//   sums   [items] float16      so that nothing can be left out
//
// Work group: GROUP work items; enough of them that all of a device is busy. Work items of sum_of_memory that are
// neighbours read neighbouring vectors on GPUs (ADJACENT 1), and runs of memory on CPUs (ADJACENT 0).
//
//   GROUP     work items of a group
//   CHAINS    independent sums of a work item: as many as hide the time that one step takes
//   ADJACENT  as above

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void sum_of_memory(global const float16 *x, global float16 *sums, int perItem) {
  const size_t item = get_global_id(0);
#if ADJACENT
  const size_t first = item, step = get_global_size(0);
#else
  const size_t first = item * perItem, step = 1;
#endif
  float16 a = 0, b = 0, c = 0, d = 0;
  for (int j = 0; j < perItem; j += 4) {
    a += x[first + j * step];
    b += x[first + (j + 1) * step];
    c += x[first + (j + 2) * step];
    d += x[first + (j + 3) * step];
  }
  sums[item] = a + b + (c + d);
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void float_rate(global float16 *sums, float factor, float addend, int steps) {
  float16 s[CHAINS];
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) s[chain] = chain + (float)get_global_id(0);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int chain = 0; chain < CHAINS; ++chain) s[chain] = s[chain] * factor + addend;
  }
  float16 sum = 0;
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) sum += s[chain];
  sums[get_global_id(0)] = sum;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void integer_rate(global int16 *sums, int factor, int addend, int steps) {
  int16 s[CHAINS];
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) s[chain] = chain + (int)get_global_id(0);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int chain = 0; chain < CHAINS; ++chain) s[chain] = s[chain] * factor + addend;
  }
  int16 sum = 0;
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) sum += s[chain];
  sums[get_global_id(0)] = sum;
}
