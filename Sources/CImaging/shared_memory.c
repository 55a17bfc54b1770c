#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/cimaging.h"

int kiano_shared_memory_create(size_t count) {
  int descriptor = memfd_create("kiano-gpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  // Without the seals, one process could cut the memory off under the other, which dies of it.
  if (ftruncate(descriptor, (off_t)count) == 0 &&
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    return descriptor;
  }
  int number = errno;
  close(descriptor);
  errno = number;
  return -1;
}
