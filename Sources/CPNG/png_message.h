// The last error of a reader or writer, in libpng's words.
#ifndef KIANO_PNG_MESSAGE_H
#define KIANO_PNG_MESSAGE_H

#include <png.h>

typedef struct {
  char text[200];
} kiano_png_message;

/// libpng's error function: keeps the words and jumps back into the call that failed.
_Noreturn void kiano_png_fail(png_structp png, png_const_charp words);

/// libpng's warning function: warnings concern what we don't use.
void kiano_png_ignore(png_structp png, png_const_charp words);

#endif
