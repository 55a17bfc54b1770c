#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "include/cpng.h"
#include "png_message.h"

struct kiano_png_writer {
  png_structp png;
  png_infop info;
  int file;
  kiano_png_message message;
};

static void give_bytes(png_structp png, png_bytep source, size_t count) {
  const kiano_png_writer *writer = png_get_io_ptr(png);
  while (count > 0) {
    ssize_t step = write(writer->file, source, count);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) png_error(png, strerror(errno));
    source += step;
    count -= (size_t)step;
  }
}

static void flush_nothing(png_structp png) { (void)png; }

kiano_png_writer *kiano_png_writer_create(int file) {
  kiano_png_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->file = file;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer->message, kiano_png_fail, kiano_png_ignore);
  writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
  if (writer->info) return writer;
  kiano_png_writer_destroy(writer);
  return NULL;
}

int kiano_png_writer_start(kiano_png_writer *writer, uint32_t width, uint32_t height, int compression) {
  png_structp png = writer->png;
  if (setjmp(png_jmpbuf(png))) return -1;
  png_set_write_fn(png, writer, give_bytes, flush_nothing);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  // One IDAT chunk and one write for each of these.
  png_set_compression_buffer_size(png, 1 << 18);
  png_set_compression_level(png, compression);
  // Of photos, deflate finds nothing but runs: looking for more takes half as long again and saves a hundredth.
  png_set_filter(png, 0, PNG_ALL_FILTERS);
  png_set_compression_strategy(png, Z_RLE);
  png_set_IHDR(png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, writer->info);
  return 0;
}

int kiano_png_writer_write_row(kiano_png_writer *writer, const uint8_t *row) {
  if (setjmp(png_jmpbuf(writer->png))) return -1;
  png_write_row(writer->png, row);
  return 0;
}

int kiano_png_writer_finish(kiano_png_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return -1;
  png_write_end(writer->png, writer->info);
  return 0;
}

const char *kiano_png_writer_message(const kiano_png_writer *writer) { return writer->message.text; }

void kiano_png_writer_destroy(kiano_png_writer *writer) {
  png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}
