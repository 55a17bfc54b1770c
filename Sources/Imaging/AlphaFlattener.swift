/// Puts rows with alpha over white; rows without pass through.
struct AlphaFlattener {
  private var flat: [UInt8]
  private let channels: Int

  /// - Parameter channels: 3 for RGB, 4 for RGB and alpha (not premultiplied).
  init(width: Int, channels: Int) {
    self.channels = channels
    flat = [UInt8](repeating: 0, count: channels == 4 ? width * 3 : 0)
  }

  /// Hands one row on as RGB.
  mutating func pass(_ row: UnsafeBufferPointer<UInt8>, to consumer: some RowConsumer) {
    guard channels == 4 else { return consumer.append(row) }
    flat.withUnsafeMutableBufferPointer { out in
      for x in 0..<row.count / 4 {
        let alpha = Int(row[x * 4 + 3])
        for channel in 0..<3 {
          out[x * 3 + channel] = UInt8((Int(row[x * 4 + channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
        }
      }
      consumer.append(UnsafeBufferPointer(out))
    }
  }
}
