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

  /// Of a file that hasn't been read.
  init() {}

  /// Reads the segments from SOI to SOS. What was read of another file before is forgotten.
  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    (width, height, isProgressive, hasAdobeMarker) = (0, 0, false, false)
    (exif, thumbnail) = (ExifFields(), nil)
    components.removeAll(keepingCapacity: true)
    profileParts.removeAll(keepingCapacity: true)
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
    if !isProgressive { return 0 }
    var (widest, tallest) = (1, 1)
    for component in components {
      (widest, tallest) = (max(widest, component.horizontal), max(tallest, component.vertical))
    }
    let samples = components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    return width * height * samples * MemoryLayout<Int16>.size / (widest * tallest)
  }

  /// The embedded ICC profile (ICC.1, annex B.4); nil without one, or where a part is missing. Valid as long as the
  /// file's bytes.
  ///
  /// - Parameter assemble: gives memory to put the parts together in, if there are several.
  func profile(_ assemble: (Int) -> UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let first = profileParts.first, profileParts.count == Int(first.count) else { return nil }
    if profileParts.count == 1 { return first.number == 1 ? first.bytes : nil }
    let whole = assemble(profileParts.reduce(0) { $0 + $1.bytes.count })
    var end = 0
    for number in 1...profileParts.count {
      guard let part = profileParts.first(where: { Int($0.number) == number }) else { return nil }
      UnsafeMutableRawBufferPointer(rebasing: whole[end..<end + part.bytes.count]).copyMemory(from: part.bytes)
      end += part.bytes.count
    }
    return UnsafeRawBufferPointer(whole)
  }

  private mutating func read(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: readFrame(marker, segment)
    case 0xE1 where segment.has("Exif\0\0") && exif == ExifFields():
      let tiff = UnsafeRawBufferPointer(rebasing: segment[6...])
      exif = ExifFields(tiff: tiff)
      thumbnail = exif.thumbnail.map { UnsafeRawBufferPointer(rebasing: tiff[$0]) }
    case 0xE2 where segment.count > 14 && segment.has("ICC_PROFILE\0") && profileParts.count < 255:
      profileParts.append((segment[12], segment[13], UnsafeRawBufferPointer(rebasing: segment[14...])))
    case 0xEE where segment.count >= 12 && segment.has("Adobe"): hasAdobeMarker = true
    default: break
    }
  }

  private mutating func readFrame(_ marker: UInt8, _ segment: UnsafeRawBufferPointer) {
    guard components.isEmpty, segment.count >= 6, segment.count >= 6 + 3 * Int(segment[5]) else { return }
    height = Int(segment[1]) << 8 | Int(segment[2])
    width = Int(segment[3]) << 8 | Int(segment[4])
    isProgressive = marker & 3 == 2
    for index in 0..<Int(segment[5]) {
      let factors = segment[6 + index * 3 + 1]
      components.append(Component(horizontal: max(1, Int(factors >> 4)), vertical: max(1, Int(factors & 15))))
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
