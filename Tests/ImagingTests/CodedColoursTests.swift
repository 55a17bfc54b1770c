import Foundation
import TestSupport
import Testing

@testable import Imaging

#if canImport(CHEIF)
  import CHEIF
#endif

@Suite("Colours told by numbers")
struct CodedColoursTests {
  private func convert(_ pixel: [UInt8], _ primaries: Int, _ transfer: Int) -> [Int] {
    let converter = ColourConverter()
    var pixels = pixel
    pixels.withUnsafeMutableBufferPointer {
      converter.convert($0, from: converter.colours(CodedColours(primaries: primaries, transfer: transfer)))
    }
    return pixels.map { Int($0) }
  }

  private func isNear(_ pixel: [Int], _ expected: [Int], _ tolerance: Int = 4) -> Bool {
    zip(pixel, expected).allSatisfy { abs($0 - $1) <= tolerance }
  }

  /// What displays show as 20.3 cd/m2 in each curve: a tenth of white, which is 89 in sRGB.
  private static let tenths: [(transfer: Int, signal: Double)] = [
    (8, 0.1), (4, pow(0.1, 1 / 2.2)), (5, pow(0.1, 1 / 2.8)), (17, pow(0.1, 1 / 2.6)), (16, 0.3610), (18, 0.3344),
    (13, 89.0 / 255), (1, 89.0 / 255), (2, 89.0 / 255),
  ]

  @Test("a grey is as bright as its curve says", arguments: tenths)
  func curves(_ transfer: Int, _ signal: Double) {
    let grey = UInt8((signal * 255).rounded())
    #expect(
      isNear(convert([grey, grey, grey], 1, transfer), [89, 89, 89], 6), "\(convert([grey, grey, grey], 1, transfer))")
  }

  @Test("paper white is white in high dynamic range, and what shines more is too")
  func white() {
    #expect(abs(CodedColours.perceptualQuantizer(0.5807) - 203) < 1)
    #expect(abs(CodedColours.hybridLogGamma(0.75) - 203) < 1)
    for transfer in [16, 18] {
      #expect(convert([250, 250, 250], 9, transfer) == [255, 255, 255])
      #expect(convert([0, 0, 0], 9, transfer) == [0, 0, 0])
    }
  }

  @Test("sRGB's red is less than all of a wider red")
  func primaries() {
    // Display P3 and BT.2020 with sRGB's curve.
    #expect(isNear(convert([234, 51, 35], 12, 13), [255, 0, 0], 8))
    #expect(isNear(convert([207, 74, 34], 9, 13), [255, 0, 0], 8))
    #expect(convert([234, 51, 35], 1, 13) == [234, 51, 35])
    #expect(convert([234, 51, 35], 2, 2) == [234, 51, 35])
  }

  #if canImport(CHEIF)
    /// An AVIF file of one colour; nil where libheif has no encoder.
    private func write(_ pixel: [UInt8], _ primaries: UInt16, _ transfer: UInt16, to url: URL) -> Bool {
      let context = heif_context_alloc()
      defer { heif_context_free(context) }
      var encoder: OpaquePointer?
      guard heif_context_get_encoder_for_format(context, heif_compression_AV1, &encoder).code == heif_error_Ok else {
        return false
      }
      defer { heif_encoder_release(encoder) }
      var image: OpaquePointer?
      heif_image_create(64, 64, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image)
      heif_image_add_plane(image, heif_channel_interleaved, 64, 64, 8)
      defer { heif_image_release(image) }
      var stride: Int32 = 0
      let pixels = heif_image_get_plane(image, heif_channel_interleaved, &stride)!
      for y in 0..<64 { for x in 0..<192 { pixels[y * Int(stride) + x] = pixel[x % 3] } }
      let numbers = heif_nclx_color_profile_alloc()
      defer { heif_nclx_color_profile_free(numbers) }
      heif_nclx_color_profile_set_color_primaries(numbers, primaries)
      heif_nclx_color_profile_set_transfer_characteristics(numbers, transfer)
      heif_nclx_color_profile_set_matrix_coefficients(numbers, 6)
      numbers?.pointee.full_range_flag = 1
      heif_image_set_nclx_color_profile(image, numbers)
      let options = heif_encoding_options_alloc()
      defer { heif_encoding_options_free(options) }
      options?.pointee.output_nclx_profile = numbers
      return heif_context_encode_image(context, image, encoder, options, nil).code == heif_error_Ok
        && heif_context_write_to_file(context, url.path).code == heif_error_Ok
    }

    @Test(
      "are converted in AVIF files",
      arguments: [
        ([234, 51, 35], 12, 13, [255, 0, 0]), ([234, 51, 35], 1, 13, [234, 51, 35]),
        ([207, 74, 34], 9, 13, [255, 0, 0]),
        ([148, 148, 148], 9, 16, [255, 255, 255]), ([92, 92, 92], 9, 16, [89, 89, 89]),
      ] as [([UInt8], UInt16, UInt16, [Int])])
    func files(_ pixel: [UInt8], _ primaries: UInt16, _ transfer: UInt16, _ expected: [Int]) throws {
      try Locations.withTemporaryFolder { folder in
        let url = folder.appendingPathComponent("a.avif")
        guard write(pixel, primaries, transfer, to: url) else { return }
        let image = try TestFiles.decodeWhole(BytePath(url.path))
        let middle = image.pixels[(32 * 64 + 32) * 3..<(32 * 64 + 33) * 3].map { Int($0) }
        #expect(isNear(middle, expected, 10), "\(middle)")
      }
    }
  #endif
}
