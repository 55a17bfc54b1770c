#include <stdlib.h>
#include <string.h>

#include "include/cpng.h"
#include "png_message.h"

struct kiano_png_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  int passes;
  kiano_png_message message;
};

static void take_bytes(png_structp png, png_bytep target, size_t count) {
  kiano_png_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) png_error(png, "the file ends too early");
  memcpy(target, reader->bytes + reader->position, count);
  reader->position += count;
}

kiano_png_reader *kiano_png_reader_create(const uint8_t *bytes, size_t count) {
  kiano_png_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader->message, kiano_png_fail, kiano_png_ignore);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  if (reader->info) return reader;
  kiano_png_reader_destroy(reader);
  return NULL;
}

int kiano_png_reader_start(kiano_png_reader *reader) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return -1;
  png_set_read_fn(png, reader, take_bytes);
  // The caller has compared the size with its own limit.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  // Texts may inflate to any size; of what isn't the picture, only transparency and the colour profile matter.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (const png_byte *)"tRNS\0iCCP", 2);
  png_set_chunk_malloc_max(png, 8 << 20);
  png_read_info(png, reader->info);

  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  return 0;
}

int kiano_png_reader_channels(const kiano_png_reader *reader) {
  return png_get_channels(reader->png, reader->info);
}

const uint8_t *kiano_png_reader_profile(const kiano_png_reader *reader, size_t *count) {
  png_charp name;
  int compression;
  png_bytep profile = NULL;
  png_uint_32 length = 0;
  png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &length);
  *count = length;
  return profile;
}

int kiano_png_reader_read_row(kiano_png_reader *reader, uint8_t *row) {
  if (setjmp(png_jmpbuf(reader->png))) return -1;
  if (reader->passes > 1) {
    png_read_row(reader->png, NULL, row);
  } else {
    png_read_row(reader->png, row, NULL);
  }
  return 0;
}

const char *kiano_png_reader_message(const kiano_png_reader *reader) { return reader->message.text; }

void kiano_png_reader_destroy(kiano_png_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}
