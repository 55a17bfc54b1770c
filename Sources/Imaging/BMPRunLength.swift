/// Unpacks the runs of a BMP file (Microsoft, "Bitmap Compression").
struct BMPRunLength {
  let bitsPerPixel: Int
  let width: Int
  let height: Int

  /// Unpacks as much as there is; pixels that no run names keep what was in `indices`.
  ///
  /// - Parameter indices: `height` x `width` bytes, in the order of the file.
  /// - Returns: the row that the runs came to; `height` when they reached the picture's end.
  func unpack(_ bytes: UnsafeRawBufferPointer, to indices: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var (x, y, position) = (0, 0, 0)
    func put(_ index: UInt8) {
      // Runs that go past a row's end are cut off there.
      if x < width { indices[y * width + x] = index }
      x += 1
    }
    while position + 2 <= bytes.count, y < height {
      let (count, value) = (Int(bytes[position]), bytes[position + 1])
      position += 2
      if count > 0 {
        for index in 0..<count { put(bitsPerPixel == 8 ? value : index % 2 == 0 ? value >> 4 : value & 15) }
        continue
      }
      switch value {
      case 0: (x, y) = (0, y + 1)
      case 1: return height
      case 2:
        guard position + 2 <= bytes.count else { return y }
        x += Int(bytes[position])
        y += Int(bytes[position + 1])
        position += 2
      default:
        let length = bitsPerPixel == 8 ? Int(value) : (Int(value) + 1) / 2
        guard position + length <= bytes.count else { return y }
        for index in 0..<Int(value) {
          let byte = bytes[position + (bitsPerPixel == 8 ? index : index / 2)]
          put(bitsPerPixel == 8 ? byte : index % 2 == 0 ? byte >> 4 : byte & 15)
        }
        // Literal stretches are filled up to 16 bits.
        position += (length + 1) & ~1
      }
    }
    return min(y, height)
  }
}
