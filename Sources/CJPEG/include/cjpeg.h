// JPEG with restart markers, which TurboJPEG's interface doesn't offer, for Swift.
//
// libjpeg reports errors by longjmp, which must not cross Swift frames: every call that may fail is made here, between a
// setjmp and its return, and reports by its result.
#ifndef KIANO_CJPEG_H
#define KIANO_CJPEG_H

#include <stddef.h>
#include <stdint.h>

#define KIANO_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define KIANO_NONNULL_END _Pragma("clang assume_nonnull end")

KIANO_NONNULL_BEGIN

/// Encodes pictures, one after the other.
typedef struct kiano_jpeg_encoder kiano_jpeg_encoder;

/// Returns NULL when memory is short.
kiano_jpeg_encoder *_Nullable kiano_jpeg_encoder_create(void);

/// Encodes RGB pixels as a baseline file, 4:2:0, with a restart marker after each row of blocks of 16 x 16 pixels.
///
/// Returns 0 or, on failure, -1. The bytes are the encoder's until its next call.
int kiano_jpeg_encoder_encode(kiano_jpeg_encoder *encoder, const uint8_t *pixels, int width, int height, int quality,
                              const uint8_t *_Nullable *_Nonnull bytes, size_t *count);

void kiano_jpeg_encoder_destroy(kiano_jpeg_encoder *_Nullable encoder);

/// A JPEG file that is being written row by row.
typedef struct kiano_jpeg_writer kiano_jpeg_writer;

/// Returns NULL when memory is short. The file stays the caller's.
kiano_jpeg_writer *_Nullable kiano_jpeg_writer_create(int file);

/// Begins a baseline file of RGB pixels, 4:2:0. This, and those below, return 0 or, on failure, -1; the reason is then in
/// ..._message.
int kiano_jpeg_writer_start(kiano_jpeg_writer *writer, int width, int height, int quality);

/// Writes the next row.
int kiano_jpeg_writer_write_row(kiano_jpeg_writer *writer, const uint8_t *row);

/// Writes what is left.
int kiano_jpeg_writer_finish(kiano_jpeg_writer *writer);

/// Why something failed; valid as long as the writer.
const char *kiano_jpeg_writer_message(const kiano_jpeg_writer *writer);

void kiano_jpeg_writer_destroy(kiano_jpeg_writer *_Nullable writer);

KIANO_NONNULL_END

#endif
