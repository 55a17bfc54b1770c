#include "png_message.h"

#include <stdio.h>

#include "include/cpng.h"

const char *kiano_png_version(void) { return png_get_libpng_ver(NULL); }

void kiano_png_fail(png_structp png, png_const_charp words) {
  kiano_png_message *message = png_get_error_ptr(png);
  snprintf(message->text, sizeof message->text, "%s", words);
  png_longjmp(png, 1);
}

void kiano_png_ignore(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}
