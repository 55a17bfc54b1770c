// libtiff's RGBA interface on a file in memory, for Swift.
//
// TIFFGetField is variadic and the RGBA image a large struct of function pointers; neither reaches Swift. Functions
// that return int return 0 or, on failure, -1; the reason is then in kiano_tiff_reader_message.
#ifndef KIANO_CTIFF_H
#define KIANO_CTIFF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The version of libtiff that is in use, as a text of several lines.
const char *kiano_tiff_version(void);

/// A TIFF file in memory that is being decoded.
typedef struct kiano_tiff_reader kiano_tiff_reader;

/// What the first directory says.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// TIFF 6.0's tag 274; 1 where it is missing.
  uint16_t orientation;
  uint16_t samples_per_pixel;
  /// PHOTOMETRIC_...
  uint16_t photometric;
  /// Rows that are decoded at once: those of a strip, or of a row of tiles.
  uint32_t rows_per_block;
  /// The embedded profile, valid as long as the reader, or NULL.
  const uint8_t *_Nullable profile;
  uint32_t profile_count;
} kiano_tiff_header;

/// Returns NULL when memory is short. The bytes must outlive the reader; libtiff is refused any single allocation of
/// more than `largest_allocation` bytes.
kiano_tiff_reader *_Nullable kiano_tiff_reader_create(const uint8_t *bytes, size_t count, size_t largest_allocation);

/// Reads the first directory.
int kiano_tiff_reader_open(kiano_tiff_reader *reader, kiano_tiff_header *header);

/// Prepares for decoding; fails for kinds of pictures that libtiff can't show.
int kiano_tiff_reader_start(kiano_tiff_reader *reader);

/// Whether the pixels are inks rather than light, once decoding was prepared.
int kiano_tiff_reader_has_inks(const kiano_tiff_reader *reader);

/// Decodes the stored rows from `first` on into `rows`, which holds count * width pixels of a byte each channel: red,
/// green, blue, alpha, colours multiplied by alpha; or cyan, magenta, yellow, black, 255 for all of an ink.
int kiano_tiff_reader_read_rows(kiano_tiff_reader *reader, uint32_t first, uint32_t count, uint8_t *rows);

const char *kiano_tiff_reader_message(const kiano_tiff_reader *reader);
void kiano_tiff_reader_destroy(kiano_tiff_reader *reader);

#pragma clang assume_nonnull end
#endif
