/// Bounds-checked reading of TIFF directories.
struct TIFFReader {
  private let bytes: UnsafeRawBufferPointer
  private let isBigEndian: Bool

  /// One entry of a directory (an IFD): 12 bytes.
  struct Entry {
    let tag: Int
    /// 2 text, 3 unsigned 16 bits, 4 unsigned 32 bits; others aren't read.
    let type: Int
    let count: Int
    /// Where the entry's four bytes of value, or of offset, are.
    let valueOffset: Int
  }

  /// Nil when the bytes don't begin as a TIFF file does.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isBigEndian = false
    case (0x4D, 0x4D): isBigEndian = true
    default: return nil
    }
    self.bytes = bytes
    guard short(at: 2) == 42 else { return nil }
  }

  /// Calls `body` with each entry that lies within the bytes; with none at all when the directory doesn't.
  func forEachEntry(ofDirectoryAt offset: Int, _ body: (Entry) -> Void) {
    guard let count = short(at: offset) else { return }
    for index in 0..<count {
      let start = offset + 2 + index * 12
      guard let tag = short(at: start), let type = short(at: start + 2), let count = long(at: start + 4),
        start + 12 <= bytes.count
      else { return }
      body(Entry(tag: tag, type: type, count: count, valueOffset: start + 8))
    }
  }

  /// The number that an entry holds, if it holds exactly one.
  func integer(of entry: Entry) -> Int? {
    guard entry.count == 1 else { return nil }
    return switch entry.type {
    case 3: short(at: entry.valueOffset)
    case 4: long(at: entry.valueOffset)
    default: nil
    }
  }

  /// The bytes of a text entry, if all of them lie within the block.
  func text(of entry: Entry) -> Slice<UnsafeRawBufferPointer>? {
    guard entry.type == 2, let offset = entry.count <= 4 ? entry.valueOffset : long(at: entry.valueOffset),
      offset <= bytes.count, entry.count <= bytes.count - offset
    else { return nil }
    return bytes[offset..<offset + entry.count]
  }

  /// The unsigned 16-bit number at `offset`, or nil past the end.
  func short(at offset: Int) -> Int? {
    number(at: offset, length: 2)
  }

  /// The unsigned 32-bit number at `offset`, or nil past the end.
  func long(at offset: Int) -> Int? {
    number(at: offset, length: 4)
  }

  private func number(at offset: Int, length: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    let digits = bytes[offset..<offset + length]
    return isBigEndian ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
