/// BMP, read by ourselves: the format is simple, and no small library has it.
struct BMPCodec: ImageCodec {
  let format = ImageFormat.bmp
  let library = Self.builtIn

  /// Stands where others name a library.
  static let builtIn = "built in"

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    BMPSource(bytes: bytes, bitmap: try BMPHeader(bytes))
  }
}

/// A BMP file whose header has been read.
private struct BMPSource: PictureSource {
  let bytes: UnsafeRawBufferPointer
  let bitmap: BMPHeader

  var header: PictureHeader { PictureHeader(width: bitmap.width, height: bitmap.height) }

  func workingBytes(shortestSide: Int) -> Int {
    bitmap.width * 4 + (bitmap.compression == .runLength ? bitmap.width * bitmap.height : 0)
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let (width, height) = (bitmap.width, bitmap.height)
    let data = UnsafeRawBufferPointer(rebasing: bytes[min(bitmap.pixelOffset, bytes.count)...])
    if bitmap.bitsPerPixel <= 8, bitmap.palette.isEmpty { throw .damaged("it has no palette") }
    if bitmap.compression == .runLength {
      let indices = workspace.pixelBuffer(count: width * height)
      indices.update(repeating: 0)
      let unpacker = BMPRunLength(bitsPerPixel: bitmap.bitsPerPixel, width: width, height: height)
      let rows = unpacker.unpack(data, to: indices)
      return try emit(rows: rows, rowBytes: width, UnsafeRawBufferPointer(indices), bits: 8, into: consumer, workspace)
    }
    // Rows are filled up to 32 bits.
    let rowBytes = (width * bitmap.bitsPerPixel + 31) / 32 * 4
    // The last row's filling may be missing.
    let rows = min(height, (data.count + 3) / rowBytes)
    return try emit(rows: rows, rowBytes: rowBytes, data, bits: bitmap.bitsPerPixel, into: consumer, workspace)
  }

  /// Hands rows over from the top.
  ///
  /// - Parameters:
  ///   - rows: how many of the stored rows are there.
  ///   - bits: of a pixel in `data`.
  private func emit(
    rows: Int, rowBytes: Int, _ data: UnsafeRawBufferPointer, bits: Int, into consumer: some RowConsumer,
    _ workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let (width, height) = (bitmap.width, bitmap.height)
    guard rows * 2 >= height else { throw .damaged("more than half of the picture is missing") }
    let hasAlpha = bitmap.masks[3].maximum > 0 && bits >= 16
    let channels = hasAlpha ? 4 : 3
    let row = workspace.rowBuffer(count: width * channels)
    let flattener = AlphaFlattener(width: width, channels: channels, workspace: workspace)
    consumer.begin(width: width, height: height, colours: StoredColours())
    if !bitmap.isTopDown { consumer.appendMissing(rows: height - rows, width: width) }
    for y in 0..<rows {
      try workspace.patience.check()
      let start = (bitmap.isTopDown ? y : rows - 1 - y) * rowBytes
      let stored = UnsafeRawBufferPointer(rebasing: data[start..<min(start + rowBytes, data.count)])
      unpack(stored, bits: bits, channels: channels, to: row)
      flattener.pass(UnsafeBufferPointer(row), to: consumer)
    }
    if bitmap.isTopDown { consumer.appendMissing(rows: height - rows, width: width) }
    return rows == height ? .complete : .partial("the file ends too early")
  }

  private func unpack(
    _ stored: UnsafeRawBufferPointer, bits: Int, channels: Int, to out: UnsafeMutableBufferPointer<UInt8>
  ) {
    // A row whose filling is missing still has its pixels, as `rows` was counted; one byte may lack all the same.
    func byte(_ index: Int) -> Int { index < stored.count ? Int(stored[index]) : 0 }
    for x in 0..<bitmap.width {
      let target = x * channels
      switch bits {
      case 24:
        for channel in 0..<3 { out[target + channel] = UInt8(byte(x * 3 + 2 - channel)) }
      case 16, 32:
        let size = bits / 8
        let pixel = (0..<size).reduce(0) { $0 | byte(x * size + $1) << (8 * $1) }
        for channel in 0..<channels { out[target + channel] = bitmap.masks[channel].value(of: pixel) }
      default:
        let index = byte(x * bits / 8) >> (8 - bits - x * bits % 8) & (1 << bits - 1)
        let colour = bitmap.palette[min(index, bitmap.palette.count - 1)]
        for channel in 0..<3 { out[target + channel] = colour[channel] }
      }
    }
  }
}
