#if canImport(CHEIF)
  import CHEIF
  import Foundation
  import TestSupport
  import Testing

  @testable import Imaging

  @Suite("Thumbnails in HEIF files")
  struct HEIFThumbnailTests {
    /// Writes an AVIF file of one colour, with a thumbnail that libheif makes of it; nil where it has no encoder.
    private func write(_ url: URL, side: Int32, thumbnailSide: Int32) -> Bool {
      let context = heif_context_alloc()
      defer { heif_context_free(context) }
      var encoder: OpaquePointer?
      guard heif_context_get_encoder_for_format(context, heif_compression_AV1, &encoder).code == heif_error_Ok else {
        return false
      }
      defer { heif_encoder_release(encoder) }
      var image: OpaquePointer?
      heif_image_create(side, side / 2, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image)
      heif_image_add_plane(image, heif_channel_interleaved, side, side / 2, 8)
      defer { heif_image_release(image) }
      var stride: Int32 = 0
      let pixels = heif_image_get_plane(image, heif_channel_interleaved, &stride)!
      for index in 0..<Int(stride * side / 2) { pixels[index] = 200 }
      var handle: OpaquePointer?
      var thumbnail: OpaquePointer?
      guard heif_context_encode_image(context, image, encoder, nil, &handle).code == heif_error_Ok,
        heif_context_encode_thumbnail(context, image, handle, encoder, nil, thumbnailSide, &thumbnail).code
          == heif_error_Ok
      else { return false }
      heif_image_handle_release(thumbnail)
      heif_image_handle_release(handle)
      return heif_context_write_to_file(context, url.path).code == heif_error_Ok
    }

    @Test("are found and decoded")
    func found() throws {
      try Locations.withTemporaryFolder { folder in
        let url = folder.appendingPathComponent("a.avif")
        guard write(url, side: 512, thumbnailSide: 160) else { return }
        let bytes = try TestFiles.bytes(BytePath(url.path))
        try bytes.withUnsafeBytes { bytes in
          let source = try ImageCodecs.codec(for: bytes).open(bytes, workspace: DecodingWorkspace())
          let thumbnail = try #require(source.thumbnail)
          #expect(thumbnail.header.width == 160)
          #expect(thumbnail.header.height == 80)
          #expect(thumbnail.thumbnail == nil)
        }
        var options = DecodingOptions()
        options.prefersEmbeddedThumbnails = true
        let decoder = PictureDecoder(options: options)
        let picture = try decoder.decode(fileAt: BytePath(url.path), workspace: DecodingWorkspace())
        #expect(picture.width == 512)
        #expect(picture.input.pixels.allSatisfy { abs(Int($0) - 200) < 4 })
      }
    }
  }
#endif
