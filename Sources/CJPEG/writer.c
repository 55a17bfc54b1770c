#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>

#include "include/cjpeg.h"

struct kiano_jpeg_writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr target;
  jmp_buf escape;
  int file;
  char message[JMSG_LENGTH_MAX];
  JOCTET buffer[1 << 16];
};

static void fail(j_common_ptr info) {
  kiano_jpeg_writer *writer = info->client_data;
  if (!writer->message[0]) info->err->format_message(info, writer->message);
  longjmp(writer->escape, 1);
}

static void ignore(j_common_ptr info) { (void)info; }

static void begin(j_compress_ptr jpeg) {
  kiano_jpeg_writer *writer = jpeg->client_data;
  writer->target.next_output_byte = writer->buffer;
  writer->target.free_in_buffer = sizeof writer->buffer;
}

static void flush(kiano_jpeg_writer *writer, size_t count) {
  const JOCTET *source = writer->buffer;
  while (count > 0) {
    ssize_t step = write(writer->file, source, count);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) {
      snprintf(writer->message, sizeof writer->message, "%s", strerror(errno));
      longjmp(writer->escape, 1);
    }
    source += step;
    count -= (size_t)step;
  }
}

static boolean empty(j_compress_ptr jpeg) {
  flush(jpeg->client_data, sizeof ((kiano_jpeg_writer *)jpeg->client_data)->buffer);
  begin(jpeg);
  return TRUE;
}

static void end(j_compress_ptr jpeg) {
  kiano_jpeg_writer *writer = jpeg->client_data;
  flush(writer, sizeof writer->buffer - writer->target.free_in_buffer);
}

kiano_jpeg_writer *kiano_jpeg_writer_create(int file) {
  kiano_jpeg_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->file = file;
  writer->jpeg.err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = fail;
  writer->errors.output_message = ignore;
  writer->target.init_destination = begin;
  writer->target.empty_output_buffer = empty;
  writer->target.term_destination = end;
  writer->jpeg.client_data = writer;
  if (setjmp(writer->escape)) {
    kiano_jpeg_writer_destroy(writer);
    return NULL;
  }
  jpeg_create_compress(&writer->jpeg);
  writer->jpeg.dest = &writer->target;
  return writer;
}

int kiano_jpeg_writer_start(kiano_jpeg_writer *writer, int width, int height, int quality) {
  struct jpeg_compress_struct *jpeg = &writer->jpeg;
  if (setjmp(writer->escape)) return -1;
  jpeg->image_width = (JDIMENSION)width;
  jpeg->image_height = (JDIMENSION)height;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg_start_compress(jpeg, TRUE);
  return 0;
}

int kiano_jpeg_writer_write_row(kiano_jpeg_writer *writer, const uint8_t *row) {
  if (setjmp(writer->escape)) return -1;
  JSAMPROW samples = (JSAMPROW)row;
  jpeg_write_scanlines(&writer->jpeg, &samples, 1);
  return 0;
}

int kiano_jpeg_writer_finish(kiano_jpeg_writer *writer) {
  if (setjmp(writer->escape)) return -1;
  jpeg_finish_compress(&writer->jpeg);
  return 0;
}

const char *kiano_jpeg_writer_message(const kiano_jpeg_writer *writer) { return writer->message; }

void kiano_jpeg_writer_destroy(kiano_jpeg_writer *writer) {
  if (!writer) return;
  if (writer->jpeg.mem) jpeg_destroy_compress(&writer->jpeg);
  free(writer);
}
