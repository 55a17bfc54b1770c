#define _GNU_SOURCE
#include "include/allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static atomic_long own_count, library_count;

kiano_allocations kiano_allocations_count(void) {
  return (kiano_allocations){atomic_load(&own_count), atomic_load(&library_count)};
}

#ifdef __GLIBC__
// A program's functions go before those of the libraries that it is linked with; what glibc's do has other names too.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/// Codecs, as opposed to Swift's runtime and this program.
static int is_library(const void *caller) {
  static const char *const names[] = {"jpeg", "png",  "webp",  "gif",  "tiff",   "heif", "de265",
                                      "dav1d", "lcms", "stdc++", "libz."};
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash ? slash + 1 : info.dli_fname;
  if (strncmp(name, "lib", 3) != 0) return 0;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (strstr(name, names[index])) return 1;
  }
  return 0;
}

static void count(const void *caller) {
  atomic_fetch_add_explicit(is_library(caller) ? &library_count : &own_count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **target, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *target = memory;
  return 0;
}
#endif
