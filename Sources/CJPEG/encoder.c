#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "include/cjpeg.h"

struct kiano_jpeg_encoder {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf target;
  unsigned char *bytes;
  unsigned long count;
};

static void fail(j_common_ptr info) { longjmp(((kiano_jpeg_encoder *)info->client_data)->target, 1); }

static void ignore(j_common_ptr info) { (void)info; }

kiano_jpeg_encoder *kiano_jpeg_encoder_create(void) {
  kiano_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->jpeg.err = jpeg_std_error(&encoder->errors);
  encoder->errors.error_exit = fail;
  encoder->errors.output_message = ignore;
  encoder->jpeg.client_data = encoder;
  if (setjmp(encoder->target)) {
    kiano_jpeg_encoder_destroy(encoder);
    return NULL;
  }
  jpeg_create_compress(&encoder->jpeg);
  return encoder;
}

void kiano_jpeg_encoder_destroy(kiano_jpeg_encoder *encoder) {
  if (!encoder) return;
  if (encoder->jpeg.mem) jpeg_destroy_compress(&encoder->jpeg);
  free(encoder->bytes);
  free(encoder);
}

int kiano_jpeg_encoder_encode(kiano_jpeg_encoder *encoder, const uint8_t *pixels, int width, int height, int quality,
                              const uint8_t **bytes, size_t *count) {
  struct jpeg_compress_struct *jpeg = &encoder->jpeg;
  if (setjmp(encoder->target)) {
    jpeg_abort_compress(jpeg);
    return -1;
  }
  free(encoder->bytes);
  encoder->bytes = NULL;
  encoder->count = 0;
  jpeg_mem_dest(jpeg, &encoder->bytes, &encoder->count);
  jpeg->image_width = (JDIMENSION)width;
  jpeg->image_height = (JDIMENSION)height;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg->restart_in_rows = 1;
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < jpeg->image_height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)jpeg->next_scanline * (size_t)width * 3;
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  *bytes = encoder->bytes;
  *count = encoder->count;
  return 0;
}
