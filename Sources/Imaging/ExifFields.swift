/// What we take from a picture's EXIF block.
struct ExifFields: Equatable {
  var orientation = Orientation.upright
  /// When the picture was taken, local time as the camera knew it: `2021-07-04T12:34:56`.
  var takenAt: String?
  /// Where in the block a JPEG file with a small version of the picture is.
  var thumbnail: Range<Int>?

  init() {}

  /// Reads a TIFF structure (TIFF 6.0, section 2; EXIF 2.32). Whatever is broken in it is treated as absent.
  ///
  /// Only IFD0, the EXIF IFD that it points to and the one after IFD0 are looked at, and no chain of directories is
  /// followed further, so there is nothing that could loop. Entries may come in any order.
  init(tiff bytes: UnsafeRawBufferPointer) {
    guard let reader = TIFFReader(bytes), let root = reader.long(at: 4) else { return }
    var exifDirectory: Int?
    var changedAt: String?
    reader.forEachEntry(ofDirectoryAt: root) { entry in
      switch entry.tag {
      case 0x0112: orientation = reader.integer(of: entry).map(Orientation.init(tag:)) ?? orientation
      case 0x0132: changedAt = reader.text(of: entry).flatMap(Self.isoDate)
      case 0x8769: exifDirectory = reader.integer(of: entry)
      default: break
      }
    }
    if let exifDirectory {
      reader.forEachEntry(ofDirectoryAt: exifDirectory) { entry in
        if entry.tag == 0x9003 { takenAt = reader.text(of: entry).flatMap(Self.isoDate) }
      }
    }
    takenAt = takenAt ?? changedAt
    thumbnail = Self.thumbnail(reader, root: root, blockCount: bytes.count)
  }

  /// The tags JPEGInterchangeFormat and ...Length of the directory after IFD0 (EXIF 2.32, 4.6.8).
  private static func thumbnail(_ reader: TIFFReader, root: Int, blockCount: Int) -> Range<Int>? {
    guard let entries = reader.short(at: root), let next = reader.long(at: root + 2 + entries * 12), next > 0 else {
      return nil
    }
    var start: Int?
    var count: Int?
    reader.forEachEntry(ofDirectoryAt: next) { entry in
      switch entry.tag {
      case 0x0201: start = reader.integer(of: entry)
      case 0x0202: count = reader.integer(of: entry)
      default: break
      }
    }
    guard let start, let count, count > 0, start <= blockCount, count <= blockCount - start else { return nil }
    return start..<start + count
  }

  /// `2021:07:04 12:34:56` to `2021-07-04T12:34:56`; nil for what isn't a date, such as a camera's zeros.
  static func isoDate(_ text: some Collection<UInt8>) -> String? {
    func number(_ first: Int, _ count: Int) -> Int? {
      var number = 0
      for byte in text.dropFirst(first).prefix(count) {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte) - 0x30
      }
      return number
    }
    guard text.prefix(19).count == 19, let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
      year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return String(unsafeUninitializedCapacity: 19) { out in
      _ = out.initialize(from: text.prefix(19))
      (out[4], out[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
      (out[10], out[13], out[16]) = (UInt8(ascii: "T"), UInt8(ascii: ":"), UInt8(ascii: ":"))
      return 19
    }
  }
}
