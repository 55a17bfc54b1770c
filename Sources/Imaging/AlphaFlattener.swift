/// Puts rows with alpha over white; rows without pass through.
struct AlphaFlattener {
  private var flat: [UInt8]
  private let channels: Int
  private let isPremultiplied: Bool

  /// - Parameters:
  ///   - channels: 3 for RGB, 4 for RGB and alpha.
  ///   - isPremultiplied: whether the colours are multiplied by alpha already.
  init(width: Int, channels: Int, isPremultiplied: Bool = false) {
    self.channels = channels
    self.isPremultiplied = isPremultiplied
    flat = [UInt8](repeating: 0, count: channels == 4 ? width * 3 : 0)
  }

  /// Hands one row on as RGB.
  mutating func pass(_ row: UnsafeBufferPointer<UInt8>, to consumer: some RowConsumer) {
    guard channels == 4 else { return consumer.append(row) }
    flat.withUnsafeMutableBufferPointer { out in
      for x in 0..<row.count / 4 {
        let alpha = Int(row[x * 4 + 3])
        for channel in 0..<3 {
          let colour = Int(row[x * 4 + channel])
          out[x * 3 + channel] =
            isPremultiplied
            ? UInt8(min(255, colour + 255 - alpha)) : UInt8((colour * alpha + 255 * (255 - alpha) + 127) / 255)
        }
      }
      consumer.append(UnsafeBufferPointer(out))
    }
  }
}
