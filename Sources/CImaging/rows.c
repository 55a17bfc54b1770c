#include "include/cimaging.h"

// Swift compiles for the processors of 2003, which handle four numbers at once; the copy for those of this age takes
// eight, and half the time. It is chosen when the program starts, which musl can't, and before the thread sanitizer is
// ready to see it.
#if defined(__x86_64__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer)
#define KIANO_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define KIANO_FOR_EACH_PROCESSOR
#endif

KIANO_FOR_EACH_PROCESSOR
void kiano_add_row(float *restrict sums, const uint8_t *restrict row, size_t count, float weight, _Bool is_first) {
// A fused multiply and add would round once where others round twice.
#pragma clang fp contract(off)
  if (is_first) {
    for (size_t index = 0; index < count; index++) sums[index] = weight * (float)row[index];
  } else {
    for (size_t index = 0; index < count; index++) sums[index] += weight * (float)row[index];
  }
}
