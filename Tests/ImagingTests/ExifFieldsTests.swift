import Testing

@testable import Imaging

@Suite("EXIF")
struct ExifFieldsTests {
  /// A block with orientation 6 and a date in the EXIF IFD, unsorted, in either byte order.
  static func block(bigEndian: Bool, date: String = "2021:07:04 12:34:56") -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      let bytes = (0..<length).map { UInt8(value >> (8 * $0) & 255) }
      return bigEndian ? bytes.reversed() : bytes
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value + Array(repeating: 0, count: 4 - value.count)
    }
    let text = Array(date.utf8) + [0]
    let root = number(2, 2) + entry(0x8769, 4, 1, number(38, 4)) + entry(0x0112, 3, 1, number(6, 2)) + number(0, 4)
    let exif = number(1, 2) + entry(0x9003, 2, text.count, number(56, 4)) + number(0, 4)
    return Array((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + root + exif + text
  }

  static func read(_ bytes: [UInt8]) -> ExifFields {
    bytes.withUnsafeBytes { ExifFields(tiff: $0) }
  }

  @Test("is read in both byte orders", arguments: [false, true])
  func orders(_ bigEndian: Bool) {
    let fields = Self.read(Self.block(bigEndian: bigEndian))
    #expect(fields.orientation == .rotated90Clockwise)
    #expect(fields.takenAt == "2021-07-04T12:34:56")
  }

  @Test(
    "dates that are none are absent",
    arguments: ["0000:00:00 00:00:00", "    :  :     :  :  ", "2021:13:04 12:34:56", "2021:07:04 24:00:00", "2021"])
  func dates(_ text: String) {
    #expect(Self.read(Self.block(bigEndian: false, date: text)).takenAt == nil)
  }

  @Test("cut short anywhere does no harm")
  func truncated() {
    let block = Self.block(bigEndian: false)
    for count in 0...block.count { _ = Self.read(Array(block.prefix(count))) }
  }
}
