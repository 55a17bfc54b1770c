/// What a JPEG file says before its first scan (ITU-T T.81, annex B).
struct JPEGMarkers {
  /// A colour component's sampling factors, 1...4 each.
  struct Component {
    let horizontal: Int, vertical: Int
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var components: [Component] = []
  private(set) var isProgressive = false
  /// Whether there is an Adobe APP14 segment: its four-colour pictures are stored inverted.
  private(set) var hasAdobeMarker = false
  private(set) var exif = ExifFields()
  /// The thumbnail in the EXIF block, a JPEG file of its own; valid as long as the file's bytes.
  private(set) var thumbnail: UnsafeRawBufferPointer?
  /// The parts of the embedded profile, as they come.
  private var profileParts: [(number: UInt8, count: UInt8, bytes: UnsafeRawBufferPointer)] = []

  /// Reads the segments from SOI to SOS.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    var position = 2
    while let marker = Self.nextMarker(in: bytes, from: &position) {
      if marker == 0xDA { break }
      // Markers without a segment: TEM, RSTn, SOI, EOI.
      if marker == 0x01 || (0xD0...0xD9).contains(marker) { continue }
      guard position + 2 <= bytes.count else { break }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2, position + length <= bytes.count else { break }
      read(marker, UnsafeRawBufferPointer(rebasing: bytes[position + 2..<position + length]))
      position += length
    }
    guard !components.isEmpty else { throw .damaged("the file ends before the picture's size is known") }
    guard width > 0, height > 0 else { throw .damaged("its header declares \(width) x \(height) pixels") }
  }

  /// Whether the file keeps all coefficients in memory while decoding, and how many bytes that takes.
  var coefficientBytes: Int {
    guard isProgressive, let widest = components.map(\.horizontal).max(), let tallest = components.map(\.vertical).max()
    else { return 0 }
    let samples = components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    return width * height * samples * MemoryLayout<Int16>.size / (widest * tallest)
  }

  /// The embedded ICC profile (ICC.1, annex B.4), put together from its parts; nil without one, or where a part is
  /// missing. Valid as long as the file's bytes.
  var profile: [UInt8]? {
    let parts = profileParts.sorted { $0.number < $1.number }
    guard let count = parts.first?.count, parts.count == Int(count), parts.map(\.number) == Array(1...count) else {
      return nil
    }
    return parts.flatMap { Array($0.bytes) }
  }

  private mutating func read(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: readFrame(marker, segment)
    case 0xE1 where segment.starts(with: Array("Exif\0\0".utf8)) && exif == ExifFields():
      let tiff = UnsafeRawBufferPointer(rebasing: segment[6...])
      exif = ExifFields(tiff: tiff)
      thumbnail = exif.thumbnail.map { UnsafeRawBufferPointer(rebasing: tiff[$0]) }
    case 0xE2 where segment.count > 14 && segment.starts(with: Array("ICC_PROFILE\0".utf8)) && profileParts.count < 255:
      profileParts.append((segment[12], segment[13], UnsafeRawBufferPointer(rebasing: segment[14...])))
    case 0xEE where segment.count >= 12 && segment.starts(with: Array("Adobe".utf8)): hasAdobeMarker = true
    default: break
    }
  }

  private mutating func readFrame(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
    guard components.isEmpty, segment.count >= 6, segment.count >= 6 + 3 * Int(segment[5]) else { return }
    height = Int(segment[1]) << 8 | Int(segment[2])
    width = Int(segment[3]) << 8 | Int(segment[4])
    isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
    components = (0..<Int(segment[5])).map { index in
      let factors = segment[6 + index * 3 + 1]
      return Component(horizontal: max(1, Int(factors >> 4)), vertical: max(1, Int(factors & 15)))
    }
  }

  /// The next marker's code; `position` moves behind it. Bytes between segments are skipped as libjpeg does, and any
  /// number of FF may come before a code.
  private static func nextMarker(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> UInt8? {
    while position + 1 < bytes.count {
      let code = bytes[position + 1]
      if bytes[position] == 0xFF, code != 0, code != 0xFF {
        position += 2
        return code
      }
      position += 1
    }
    return nil
  }
}
