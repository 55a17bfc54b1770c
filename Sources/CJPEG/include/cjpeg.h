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

KIANO_NONNULL_END

#endif
