/// What a BMP file says before its pixels: the headers of OS/2 and of Windows from version 3 to 5 (Microsoft, "Bitmap
/// Header Types").
struct BMPHeader {
  enum Compression {
    case none
    /// Runs of equal indices of 4 or 8 bits.
    case runLength
    /// Pixels of 16 or 32 bits whose parts the masks tell.
    case masks
  }

  /// Where a channel is in a pixel of 16 or 32 bits.
  struct Mask: Equatable {
    let shift: Int
    /// The channel's largest value; 0 for a channel that isn't there.
    let maximum: Int

    init(_ bits: Int) {
      shift = bits == 0 ? 0 : bits.trailingZeroBitCount
      maximum = bits >> shift
    }

    /// The channel of a pixel, 0...255.
    func value(of pixel: Int) -> UInt8 {
      guard maximum > 0 else { return 0 }
      return UInt8(((pixel >> shift & maximum) * 255 + maximum / 2) / maximum)
    }
  }

  let width: Int
  let height: Int
  /// Whether the first stored row is the topmost.
  let isTopDown: Bool
  /// 1, 2, 4, 8, 16, 24 or 32.
  let bitsPerPixel: Int
  let compression: Compression
  /// Red, green, blue, alpha.
  let masks: [Mask]
  /// Red, green, blue of each colour.
  let palette: [SIMD3<UInt8>]
  /// Where the pixels begin.
  let pixelOffset: Int

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    func number(_ offset: Int, _ length: Int) -> Int {
      bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let fileHeader = 14
    guard bytes.count >= fileHeader + 12 else { throw .damaged("the file ends before the picture's size is known") }
    let length = number(fileHeader, 4)
    guard length >= 12, length <= bytes.count - fileHeader else { throw .damaged("its header is cut off") }
    let isCore = length < 40
    if isCore {
      (width, height, isTopDown) = (number(18, 2), number(20, 2), false)
      bitsPerPixel = number(24, 2)
    } else {
      let signedHeight = Int(Int32(truncatingIfNeeded: number(22, 4)))
      (width, height) = (Int(Int32(truncatingIfNeeded: number(18, 4))), abs(signedHeight))
      isTopDown = signedHeight < 0
      bitsPerPixel = number(28, 2)
    }
    guard width > 0, height > 0 else { throw .damaged("its header declares \(width) x \(height) pixels") }

    let code = isCore ? 0 : number(30, 4)
    switch (code, bitsPerPixel) {
    case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): compression = .none
    case (1, 8), (2, 4): compression = .runLength
    case (3, 16), (3, 32), (6, 16), (6, 32): compression = .masks
    case (0...6, _): throw .unsupported(.bmp, "compression \(code) with \(bitsPerPixel) bits a pixel")
    default: throw .damaged("its header declares compression \(code)")
    }

    // From version 4 on the masks are part of the header; before, three or four of them follow it.
    let masksFollow = compression == .masks && length < 52
    let maskCount = masksFollow ? (code == 6 ? 4 : 3) : 0
    if compression == .masks {
      let available = masksFollow ? maskCount : length >= 56 ? 4 : 3
      guard bytes.count >= 54 + 4 * available else { throw .damaged("its header is cut off") }
      masks = (0..<4).map { Mask($0 < available ? number(54 + 4 * $0, 4) : 0) }
    } else {
      masks = (bitsPerPixel == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF0000, 0xFF00, 0xFF, 0]).map(Mask.init)
    }

    pixelOffset = number(10, 4)
    let paletteStart = fileHeader + length + 4 * maskCount
    let entry = isCore ? 3 : 4
    var count = 0
    if bitsPerPixel <= 8 {
      let declared = isCore ? 0 : number(46, 4)
      let room = max(0, min(pixelOffset, bytes.count) - paletteStart) / entry
      count = min(declared == 0 ? 1 << bitsPerPixel : declared, 1 << bitsPerPixel, room)
    }
    palette = (0..<count).map { index in
      let start = paletteStart + index * entry
      return SIMD3(bytes[start + 2], bytes[start + 1], bytes[start])
    }
  }
}
