#ifndef KIANO_KERNELS_H
#define KIANO_KERNELS_H

#include <stddef.h>

/// One OpenCL C file of this folder, byte for byte.
typedef struct {
  const char *name;             // the file's name without ".cl"
  const unsigned char *source;  // not terminated
  size_t count;                 // bytes
} kiano_kernel_source;

/// All of them, and how many there are.
extern const kiano_kernel_source *const kiano_kernel_sources;
extern const size_t kiano_kernel_sources_count;

#endif
