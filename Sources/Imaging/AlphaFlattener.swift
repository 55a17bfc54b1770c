/// Puts rows with alpha over white; rows without pass through.
struct AlphaFlattener {
  private let flat: UnsafeMutableBufferPointer<UInt8>
  private let channels: Int
  private let isPremultiplied: Bool

  /// - Parameters:
  ///   - channels: 3 for RGB, 4 for RGB and alpha.
  ///   - isPremultiplied: whether the colours are multiplied by alpha already.
  ///   - workspace: its `convertedRowBuffer` is in use until the last row has passed.
  init(width: Int, channels: Int, isPremultiplied: Bool = false, workspace: DecodingWorkspace) {
    self.channels = channels
    self.isPremultiplied = isPremultiplied
    flat = workspace.convertedRowBuffer(count: channels == 4 ? width * 3 : 0)
  }

  /// Hands one row on as RGB.
  func pass(_ row: UnsafeBufferPointer<UInt8>, to consumer: some RowConsumer) {
    guard channels == 4 else { return consumer.append(row) }
    for x in 0..<row.count / 4 {
      let alpha = Int(row[x * 4 + 3])
      for channel in 0..<3 {
        let colour = Int(row[x * 4 + channel])
        flat[x * 3 + channel] =
          isPremultiplied
          ? UInt8(min(255, colour + 255 - alpha)) : UInt8((colour * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
    consumer.append(UnsafeBufferPointer(flat))
  }
}
