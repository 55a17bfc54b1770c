import Foundation

@testable import Imaging

extension Parser {
  static let imaging: [Parser] = {
    let picture = RGBImage(width: 24, height: 16, pixels: (0..<24 * 16 * 3).map { UInt8($0 * 7 & 255) })
    let jpeg = (try? JPEGEncoder(quality: 50).encode(picture)) ?? []
    let jpegWithSegments = Array(jpeg.prefix(2)) + exifSegment + profileSegments + jpeg.dropFirst(2)
    return [
      Parser(name: "exif", samples: [tiff(isBigEndian: false), tiff(isBigEndian: true)]) { bytes in
        let fields = bytes.withUnsafeBytes { ExifFields(tiff: $0) }
        precondition(fields.takenAt.map { $0.utf8.count == 19 } ?? true, "a date has 19 characters")
        precondition(fields.thumbnail.map { $0.upperBound <= bytes.count && !$0.isEmpty } ?? true, "it is in the block")
      },
      Parser(name: "jpeg-markers", samples: [jpeg, jpegWithSegments]) { bytes in
        guard bytes.count >= 2 else { return }
        var markers = JPEGMarkers()
        bytes.withUnsafeBytes { bytes in
          guard (try? markers.read(bytes)) != nil else { return }
          precondition(markers.width > 0 && markers.height > 0 && !markers.components.isEmpty)
          precondition(markers.coefficientBytes >= 0)
          precondition(markers.thumbnail.map { $0.count < bytes.count } ?? true)
          let buffer = ScratchBuffer()
          _ = markers.profile { buffer.bytes(count: $0) }.map { $0.reduce(0) { $0 ^ $1 } }
        }
      },
      Parser(name: "png-chunks", samples: [png]) { bytes in
        guard let chunks = bytes.withUnsafeBytes({ try? PNGChunks($0) }) else { return }
        precondition(chunks.width > 0 && chunks.height > 0)
      },
      Parser(name: "bmp", samples: bitmaps) { decodeWhole($0) },
      Parser(name: "gif", samples: [gif]) { decodeWhole($0) },
      Parser(name: "format", samples: heads) { bytes in
        bytes.withUnsafeBytes {
          _ = ImageFormat.recognise($0)
          _ = Lookalike.describe($0)
        }
      },
      Parser(name: "decoder-message", samples: messages) { bytes in
        guard let message = DecoderMessage(bytes[...]) else { return }
        // What was understood can be said again.
        var encoder = ByteEncoder()
        message.encode(to: &encoder)
        precondition(DecoderMessage(encoder.bytes[...]) != nil)
      },
      Parser(name: "control-group", samples: ["150000 100000\n", "max 100000\n"].map { Array($0.utf8) }) { bytes in
        let count = ControlGroup.processors(String(decoding: bytes, as: UTF8.self))
        precondition(count.map { $0 > 0 } ?? true)
      },
    ]
  }()

  /// Decodes a picture if it is a small one.
  private static func decodeWhole(_ bytes: [UInt8]) {
    var options = DecodingOptions()
    options.maximumPixels = 4096
    let workspace = DecodingWorkspace()
    if let image = try? PictureDecoder(options: options).decodeWhole(bytes, workspace: workspace) {
      precondition(image.pixels.count == image.width * image.height * 3)
    }
  }

  private static func number(_ value: Int, _ length: Int, isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// A block with an orientation, a date and a thumbnail.
  private static func tiff(isBigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] { self.number(value, length, isBigEndian: isBigEndian) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value + Array(repeating: 0, count: 4 - value.count)
    }
    let date = Array("2021:07:04 12:34:56\0".utf8)
    let root = number(3, 2) + entry(0x8769, 4, 1, number(50, 4)) + entry(0x0112, 3, 1, number(6, 2))
    let changed = entry(0x0132, 2, date.count, number(98, 4)) + number(68, 4)
    let exif = number(1, 2) + entry(0x9003, 2, date.count, number(98, 4)) + number(0, 4)
    let small = number(2, 2) + entry(0x0201, 4, 1, number(118, 4)) + entry(0x0202, 4, 1, number(4, 4)) + number(0, 4)
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + root + changed + exif + small + date
      + [0xFF, 0xD8, 0xFF, 0xD9]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + number(content.count + 2, 2, isBigEndian: true) + content
  }

  private static let exifSegment = segment(0xE1, Array("Exif\0\0".utf8) + tiff(isBigEndian: true))

  private static let profileSegments = Array(
    (1...3).reversed().map { segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0), 3] + [9, 9, 9]) }.joined())

  private static let png: [UInt8] = {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count, 4, isBigEndian: true) + Array(name.utf8) + content + [0, 0, 0, 0]
    }
    let header = number(24, 4, isBigEndian: true) + number(16, 4, isBigEndian: true) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", [1, 2, 3])
      + chunk("eXIf", tiff(isBigEndian: true)) + chunk("IEND", [])
  }()

  private static let bitmaps: [[UInt8]] = [
    bitmap(24, 0, Array(0..<32)), bitmap(32, 0, Array(0..<40)), bitmap(16, 3, Array(0..<24)),
    bitmap(1, 0, palette: 2, Array(0..<8)), bitmap(4, 0, palette: 4, Array(0..<8)),
    bitmap(8, 1, palette: 4, [2, 1, 1, 2, 0, 0, 0, 3, 0, 1, 2, 0, 0, 2, 1, 0, 0, 1]),
    bitmap(4, 2, palette: 4, [4, 0x12, 0, 0, 0, 5, 0x12, 0x31, 0x20, 0, 0, 1]),
  ]

  /// Five by two pixels.
  private static func bitmap(_ bits: Int, _ compression: Int, palette: Int = 0, _ data: [UInt8]) -> [UInt8] {
    var extra: [UInt8] = []
    for mask in compression == 3 ? [0xF800, 0x7E0, 0x1F] : [] { extra += number(mask, 4, isBigEndian: false) }
    for colour in 0..<palette { extra += [UInt8(colour * 40), UInt8(colour * 20), UInt8(colour * 60), 0] }
    let start = 54 + extra.count
    var bytes = Array("BM".utf8)
    let fields = [
      (start + data.count, 4), (0, 4), (start, 4), (40, 4), (5, 4), (2, 4), (1, 2), (bits, 2), (compression, 4),
      (data.count, 4), (0, 8), (palette, 4), (0, 4),
    ]
    for (value, length) in fields { bytes += number(value, length, isBigEndian: false) }
    return bytes + extra + data
  }

  /// Two by one pixels, with an extension and a transparent colour (GIF89a).
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0] + [255, 0, 0, 0, 0, 255] + [0x21, 0xF9, 4, 1, 0, 0, 1, 0]
    + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0] + [2, 2, 0x44, 0x0A, 0] + [0x3B]

  private static let heads: [[UInt8]] = [
    "RIFF\u{4}\0\0\0WEBPVP8 ", "\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif", "GIF87a", "MM\0*", "BM0123456789abc\0\0\0",
    "\0\0\0\u{0C}JXL \r\n", "<!DOCTYPE html>", "version https://git-lfs.github.com/spec/v1\n",
  ].map { Array($0.utf8) }

  private static let messages: [[UInt8]] = {
    let file = FileIdentity(device: 1, inode: 2, size: 3, modifiedNanoseconds: 4)
    let facts = PictureFacts(
      source: file, contentHash: ContentHash(high: 1, low: 2), width: 3, height: 2, format: .jpeg,
      orientation: .upright, takenAt: "2021-07-04T12:34:56",
      completeness: .partial("cut"))
    let messages: [DecoderMessage] = [
      .options(DecodingOptions()), .decode("/a/b.jpg"), .large(bytes: 5), .proceed, .picture(facts),
      .failure(.damaged("x"), file), .failure(.tooManyPixels(width: 1, height: 2, limit: 3), nil),
    ]
    return messages.map { message in
      var encoder = ByteEncoder()
      message.encode(to: &encoder)
      return encoder.bytes
    }
  }()
}
