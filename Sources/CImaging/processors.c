#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>

#include "include/cimaging.h"

int kiano_processor_count(void) {
  // The set must be as large as the kernel's, which nobody tells.
  for (int number = 1024; number <= 1 << 20; number *= 2) {
    cpu_set_t *set = CPU_ALLOC(number);
    if (!set) return 0;
    size_t size = CPU_ALLOC_SIZE(number);
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -1;
    int is_too_small = count < 0 && errno == EINVAL;
    CPU_FREE(set);
    if (!is_too_small) return count > 0 ? count : 0;
  }
  return 0;
}
