#ifndef KIANO_VIEWER_H
#define KIANO_VIEWER_H

#include <stddef.h>

/// One file of a map's page, byte for byte.
typedef struct {
  const char *name;              // the file's name
  const unsigned char *content;  // not terminated
  size_t count;                  // bytes
} kiano_viewer_file;

/// All of them, and how many there are.
extern const kiano_viewer_file *const kiano_viewer_files;
extern const size_t kiano_viewer_files_count;

#endif
