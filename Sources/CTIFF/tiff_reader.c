#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "include/ctiff.h"

struct kiano_tiff_reader {
  TIFF *tiff;
  TIFFRGBAImage image;
  int is_started;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  size_t largest_allocation;
  char message[1100];
};

const char *kiano_tiff_version(void) { return TIFFGetVersion(); }

static tmsize_t take_bytes(thandle_t handle, void *target, tmsize_t count) {
  kiano_tiff_reader *reader = handle;
  if (reader->position >= reader->count) return 0;
  size_t rest = reader->count - reader->position;
  size_t step = (size_t)count < rest ? (size_t)count : rest;
  memcpy(target, reader->bytes + reader->position, step);
  reader->position += step;
  return (tmsize_t)step;
}

static tmsize_t refuse_bytes(thandle_t handle, void *source, tmsize_t count) {
  (void)handle, (void)source, (void)count;
  return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int origin) {
  kiano_tiff_reader *reader = handle;
  switch (origin) {
    case SEEK_CUR: offset += reader->position; break;
    case SEEK_END: offset += reader->count; break;
  }
  reader->position = offset;
  return offset;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size(thandle_t handle) { return ((kiano_tiff_reader *)handle)->count; }

/// Lets libtiff read strips in place instead of copying them.
static int map(thandle_t handle, void **base, toff_t *count) {
  kiano_tiff_reader *reader = handle;
  *base = (void *)reader->bytes;
  *count = reader->count;
  return 1;
}

static void unmap(thandle_t handle, void *base, toff_t count) { (void)handle, (void)base, (void)count; }

/// Keeps the first error, which is the cause of those after it.
static int keep_error(TIFF *tiff, void *user, const char *place, const char *format, va_list values) {
  (void)tiff, (void)place;
  kiano_tiff_reader *reader = user;
  if (!reader->message[0]) vsnprintf(reader->message, sizeof reader->message, format, values);
  return 1;
}

static int ignore_warning(TIFF *tiff, void *user, const char *place, const char *format, va_list values) {
  (void)tiff, (void)user, (void)place, (void)format, (void)values;
  return 1;
}

kiano_tiff_reader *kiano_tiff_reader_create(const uint8_t *bytes, size_t count, size_t largest_allocation) {
  kiano_tiff_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->largest_allocation = largest_allocation;
  return reader;
}

int kiano_tiff_reader_open(kiano_tiff_reader *reader, kiano_tiff_header *header) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return -1;
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, reader);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, reader);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)reader->largest_allocation);
  reader->tiff = TIFFClientOpenExt("memory", "r", reader, take_bytes, refuse_bytes, seek, close_nothing, size, map,
                                   unmap, options);
  TIFFOpenOptionsFree(options);
  if (!reader->tiff) return -1;

  memset(header, 0, sizeof *header);
  TIFF *tiff = reader->tiff;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples_per_pixel);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric);
  if (TIFFIsTiled(tiff)) {
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->rows_per_block);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &header->rows_per_block);
  }
  const void *profile = NULL;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &header->profile_count, &profile)) header->profile = profile;
  return 0;
}

/// Takes inks as they are: libtiff's own way would make colours of them that no profile knows.
static void put_inks(TIFFRGBAImage *image, uint32_t *target, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     int32_t source_skew, int32_t target_skew, unsigned char *source) {
  (void)x, (void)y;
  for (; height > 0; height--) {
    for (uint32_t column = 0; column < width; column++) {
      memcpy(target++, source, 4);
      source += image->samplesperpixel;
    }
    target += target_skew;
    source += source_skew * image->samplesperpixel;
  }
}

/// As `put_inks`, of a plane for each ink.
static void put_ink_planes(TIFFRGBAImage *image, uint32_t *target, uint32_t x, uint32_t y, uint32_t width,
                           uint32_t height, int32_t source_skew, int32_t target_skew, unsigned char *cyan,
                           unsigned char *magenta, unsigned char *yellow, unsigned char *black) {
  (void)image, (void)x, (void)y;
  for (; height > 0; height--) {
    for (uint32_t column = 0; column < width; column++) {
      const unsigned char inks[4] = {*cyan++, *magenta++, *yellow++, *black++};
      memcpy(target++, inks, 4);
    }
    target += target_skew;
    cyan += source_skew, magenta += source_skew, yellow += source_skew, black += source_skew;
  }
}

int kiano_tiff_reader_has_inks(const kiano_tiff_reader *reader) {
  return reader->image.photometric == PHOTOMETRIC_SEPARATED && reader->image.bitspersample == 8;
}

int kiano_tiff_reader_start(kiano_tiff_reader *reader) {
  char words[1024] = "";
  if (!TIFFRGBAImageOK(reader->tiff, words) || !TIFFRGBAImageBegin(&reader->image, reader->tiff, 1, words)) {
    snprintf(reader->message, sizeof reader->message, "%s", words);
    return -1;
  }
  reader->is_started = 1;
  // The rows as they are stored: turning is the caller's.
  reader->image.req_orientation = reader->image.orientation;
  if (kiano_tiff_reader_has_inks(reader)) {
    if (reader->image.isContig) {
      reader->image.put.contig = put_inks;
    } else {
      reader->image.put.separate = put_ink_planes;
    }
  }
  return 0;
}

int kiano_tiff_reader_read_rows(kiano_tiff_reader *reader, uint32_t first, uint32_t count, uint8_t *rows) {
  reader->image.row_offset = (int)first;
  reader->image.col_offset = 0;
  return TIFFRGBAImageGet(&reader->image, (uint32_t *)(void *)rows, reader->image.width, count) ? 0 : -1;
}

const char *kiano_tiff_reader_message(const kiano_tiff_reader *reader) { return reader->message; }

void kiano_tiff_reader_destroy(kiano_tiff_reader *reader) {
  if (reader->is_started) TIFFRGBAImageEnd(&reader->image);
  if (reader->tiff) TIFFClose(reader->tiff);
  free(reader);
}
