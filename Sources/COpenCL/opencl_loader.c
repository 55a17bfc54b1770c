#define _GNU_SOURCE
#include "opencl_loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

char *kiano_opencl_load(const char *library, kiano_opencl_functions *functions) {
  // Never closed again: drivers leave threads and exit handlers behind.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return strdup(dlerror());

#define KIANO_RESOLVE(name)                                                          \
  {                                                                                  \
    void *symbol = dlsym(handle, "cl" #name);                                        \
    if (symbol == NULL) {                                                            \
      char *reason = NULL;                                                           \
      if (asprintf(&reason, "%s has no function cl" #name, library) < 0) return strdup("out of memory"); \
      return reason;                                                                 \
    }                                                                                \
    memcpy(&functions->name, &symbol, sizeof symbol);                                \
  }
  KIANO_OPENCL_FUNCTIONS(KIANO_RESOLVE)
#undef KIANO_RESOLVE
  return NULL;
}

char *kiano_library_path(const char *library, char **reason) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  struct link_map *map = NULL;
  if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) return strdup(map->l_name);
  const char *words = dlerror();
  *reason = strdup(words != NULL ? words : "it can't be opened");
  return NULL;
}
