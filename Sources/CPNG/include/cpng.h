// libpng, reading and writing row by row, for Swift.
//
// libpng reports errors by longjmp, which must not cross Swift frames: every call that may fail is made here, between a
// setjmp and its return, and reports by its result. Functions that return int return 0 or, on failure, -1; the reason
// is then in ..._message, which is valid as long as the object.
#ifndef KIANO_CPNG_H
#define KIANO_CPNG_H

#include <stddef.h>
#include <stdint.h>

#define KIANO_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define KIANO_NONNULL_END _Pragma("clang assume_nonnull end")

KIANO_NONNULL_BEGIN

/// The version of libpng that is in use.
const char *kiano_png_version(void);

/// A PNG file in memory that is being decoded.
typedef struct kiano_png_reader kiano_png_reader;

/// Returns NULL when memory is short. The bytes must outlive the reader.
kiano_png_reader *_Nullable kiano_png_reader_create(const uint8_t *bytes, size_t count);

/// Reads up to the first row.
int kiano_png_reader_start(kiano_png_reader *reader);

/// 3 for RGB or 4 for RGBA, 8 bits each, whatever the file has.
int kiano_png_reader_channels(const kiano_png_reader *reader);

/// The embedded colour profile, valid as long as the reader, or NULL; after the start.
const uint8_t *_Nullable kiano_png_reader_profile(const kiano_png_reader *reader, size_t *count);

/// Reads the next row into `row`, which holds width * channels bytes. Of an interlaced file all rows come seven times;
/// each pass must be given the rows of the one before, and fills the gaps with pixels as large as its grid.
int kiano_png_reader_read_row(kiano_png_reader *reader, uint8_t *row);

const char *kiano_png_reader_message(const kiano_png_reader *reader);
void kiano_png_reader_destroy(kiano_png_reader *reader);

/// A PNG file that is being written.
typedef struct kiano_png_writer kiano_png_writer;

/// Returns NULL when memory is short. `file` is a file descriptor, which stays the caller's.
kiano_png_writer *_Nullable kiano_png_writer_create(int file);

/// Writes the header of a picture of 8-bit RGB. `compression` is zlib's, 0...9.
int kiano_png_writer_start(kiano_png_writer *writer, uint32_t width, uint32_t height, int compression);

/// Writes the next row, width * 3 bytes.
int kiano_png_writer_write_row(kiano_png_writer *writer, const uint8_t *row);

/// Writes what is left, after the last row.
int kiano_png_writer_finish(kiano_png_writer *writer);

const char *kiano_png_writer_message(const kiano_png_writer *writer);
void kiano_png_writer_destroy(kiano_png_writer *writer);

KIANO_NONNULL_END
#endif
