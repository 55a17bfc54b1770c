import Foundation
import Testing

@testable import Imaging

@Suite("BMP")
struct BMPTests {
  /// A bitmap file made of its parts.
  private func file(
    width: Int, height: Int, bits: Int, compression: Int = 0, masks: [Int] = [], palette: [[UInt8]] = [],
    rows: [[UInt8]]
  ) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var extra = Array(masks.map { number($0, 4) }.joined())
    for colour in palette { extra += [colour[2], colour[1], colour[0], 0] }
    let data = Array(rows.joined())
    var bytes = Array("BM".utf8) + number(54 + extra.count + data.count, 4) + number(0, 4)
    bytes += number(54 + extra.count, 4) + number(40, 4) + number(width, 4) + number(height, 4) + number(1, 2)
    bytes += number(bits, 2) + number(compression, 4) + number(data.count, 4) + number(0, 8)
    bytes += number(palette.count, 4) + number(0, 4)
    return bytes + extra + data
  }

  private func decode(_ bytes: [UInt8]) throws(ImagingError) -> RGBImage {
    try PictureDecoder().decodeWhole(bytes, workspace: DecodingWorkspace())
  }

  private let threeColours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]

  /// One of each kind, with the pixels that it holds.
  private var samples: [(bytes: [UInt8], pixels: [UInt8])] {
    [
      // Bottom up: the first stored row is the last shown.
      (
        file(width: 2, height: 2, bits: 24, rows: [[1, 2, 3, 4, 5, 6, 0, 0], [7, 8, 9, 10, 11, 12, 0, 0]]),
        [9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4]
      ),
      (
        file(width: 2, height: -1, bits: 32, rows: [[1, 2, 3, 0, 4, 5, 6, 0]]), [3, 2, 1, 6, 5, 4]
      ),
      // 5, 5, 5 bits.
      (file(width: 1, height: 1, bits: 16, rows: [[0x1F, 0x7C, 0, 0]]), [255, 0, 255]),
      // 5, 6, 5 bits by masks.
      (
        file(
          width: 1, height: 1, bits: 16, compression: 3, masks: [0xF800, 0x7E0, 0x1F], rows: [[0xE0, 0x07, 0, 0]]),
        [0, 255, 0]
      ),
      // Half transparent black over white.
      (
        file(
          width: 1, height: 1, bits: 32, compression: 6, masks: [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000],
          rows: [[0, 0, 0, 128]]),
        [127, 127, 127]
      ),
      (
        file(width: 3, height: 1, bits: 8, palette: threeColours, rows: [[2, 1, 0, 0]]),
        [0, 0, 255, 0, 255, 0, 255, 0, 0]
      ),
      (
        file(width: 3, height: 1, bits: 4, palette: threeColours, rows: [[0x21, 0x00, 0, 0]]),
        [0, 0, 255, 0, 255, 0, 255, 0, 0]
      ),
      (
        file(width: 3, height: 1, bits: 1, palette: Array(threeColours.prefix(2)), rows: [[0b1010_0000, 0, 0, 0]]),
        [0, 255, 0, 255, 0, 0, 0, 255, 0]
      ),
      // A run, a literal stretch with its filling, a jump to the next row, and an end before the row's.
      (
        file(
          width: 3, height: 2, bits: 8, compression: 1, palette: threeColours,
          rows: [[2, 1, 1, 2, 0, 0, 0, 3, 0, 1, 2, 0, 0, 1]]),
        [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0, 0, 255, 0, 0, 0, 255]
      ),
      (
        file(width: 4, height: 1, bits: 4, compression: 2, palette: threeColours, rows: [[4, 0x12, 0, 1]]),
        [0, 255, 0, 0, 0, 255, 0, 255, 0, 0, 0, 255]
      ),
    ]
  }

  @Test("is read in all depths and compressions")
  func kinds() throws {
    for (index, sample) in samples.enumerated() {
      #expect(try decode(sample.bytes).pixels == sample.pixels, "sample \(index)")
    }
  }

  @Test("an index past the palette is its last colour; none at all is damage")
  func palettes() throws {
    let short = file(width: 1, height: 1, bits: 8, palette: threeColours, rows: [[200, 0, 0, 0]])
    #expect(try decode(short).pixels == [0, 0, 255])
    #expect(throws: ImagingError.self) {
      try decode(file(width: 1, height: 1, bits: 8, rows: [[0, 0, 0, 0]]))
    }
  }
}
