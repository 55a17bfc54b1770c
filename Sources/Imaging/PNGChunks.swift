/// What a PNG file's chunks say beside its pixels (PNG, third edition, section 11).
struct PNGChunks {
  let width: Int
  let height: Int
  let isInterlaced: Bool
  let isGrey: Bool
  private(set) var exif = ExifFields()

  /// Walks over the chunks' headers; eXIf may also come behind the pixels.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    func number(at offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= 33, bytes.has("IHDR", at: 12) else {
      throw .damaged("the file ends before the picture's size is known")
    }
    width = number(at: 16)
    height = number(at: 20)
    isInterlaced = bytes[28] == 1
    // Colour type 0, or 4 with alpha.
    isGrey = bytes[25] & 3 == 0
    guard width > 0, height > 0 else { throw .damaged("its header declares \(width) x \(height) pixels") }

    var position = 8
    while position + 12 <= bytes.count {
      let length = number(at: position)
      guard length <= bytes.count - position - 12 else { break }
      if bytes.has("eXIf", at: position + 4) {
        exif = ExifFields(tiff: UnsafeRawBufferPointer(rebasing: bytes[position + 8..<position + 8 + length]))
        break
      }
      position += length + 12
    }
  }
}
