import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Embedded thumbnails")
struct EmbeddedThumbnailTests {
  /// A grey JPEG file with a white thumbnail of another size in its EXIF block, which says that it lies on its side.
  private func file(_ size: (Int, Int), thumbnail: (Int, Int), cut: Int = 0) throws -> [UInt8] {
    func jpeg(_ size: (Int, Int), _ value: UInt8) throws -> [UInt8] {
      try JPEGEncoder().encode(
        RGBImage(width: size.0, height: size.1, pixels: Array(repeating: value, count: size.0 * size.1 * 3)))
    }
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] { number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
    let small = try jpeg(thumbnail, 255)
    var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4)
    tiff += number(1, 2) + entry(0x0112, 6) + number(26, 4)
    tiff += number(2, 2) + entry(0x0201, 56) + entry(0x0202, small.count) + number(0, 4)
    tiff += small.dropLast(cut)
    let segment = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1] + number(segment.count + 2, 2) + segment + (try jpeg(size, 100)).dropFirst(2)
  }

  /// The brightness of the decoded picture's middle.
  private func brightness(_ bytes: [UInt8], isFast: Bool = true) throws -> UInt8 {
    try Locations.withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("a.jpg")
      try Data(bytes).write(to: url)
      var options = DecodingOptions()
      options.prefersEmbeddedThumbnails = isFast
      let decoder = PictureDecoder(options: options)
      let picture = try decoder.decode(fileAt: BytePath(url.path), workspace: DecodingWorkspace())
      #expect(picture.orientation == .rotated90Clockwise)
      #expect(picture.width < picture.height)
      return picture.input.pixels[128 * 64 * 3]
    }
  }

  @Test("are taken where they have the picture's shape, and only when asked for")
  func taken() throws {
    let bytes = try file((1600, 1200), thumbnail: (160, 120))
    #expect(try brightness(bytes) == 255)
    #expect(try brightness(bytes, isFast: false) == 100)
    // A side that had to be rounded.
    #expect(try brightness(file((1500, 1000), thumbnail: (160, 107))) == 255)
  }

  @Test("are not taken when they have another shape, are tiny, or broken")
  func passedOver() throws {
    // Bars above and below.
    #expect(try brightness(file((1500, 1000), thumbnail: (160, 120))) == 100)
    // Cropped or turned since.
    #expect(try brightness(file((1600, 1200), thumbnail: (120, 160))) == 100)
    #expect(try brightness(file((1600, 1200), thumbnail: (80, 60))) == 100)
    // The length reaches into what follows, or the thumbnail has no end.
    #expect(try brightness(file((1600, 1200), thumbnail: (160, 120), cut: 300)) == 100)
  }
}
