/// Brings rows of four inks to sRGB: cyan, magenta, yellow and black, a byte each.
struct InkConverter {
  private let conversion: ColourConversion?
  private let converted: UnsafeMutableBufferPointer<UInt8>
  private let isInverted: Bool

  /// - Parameters:
  ///   - isInverted: whether 255 means no ink.
  ///   - profile: what the inks look like; without one of use, each ink takes its share of the light.
  ///   - workspace: its `convertedRowBuffer` is in use until the last row has passed.
  init(width: Int, isInverted: Bool, profile: UnsafeRawBufferPointer?, workspace: DecodingWorkspace) {
    self.isInverted = isInverted
    conversion = profile.flatMap { workspace.colours.conversion($0, isInverted ? .cmykInverted : .cmyk) }
    converted = workspace.convertedRowBuffer(count: width * 3)
  }

  /// Hands one row on as RGB.
  func pass(_ row: UnsafeBufferPointer<UInt8>, to consumer: some RowConsumer) {
    if let conversion {
      conversion.convert(row.baseAddress!, to: converted.baseAddress!, count: row.count / 4)
    } else {
      let inversion: UInt8 = isInverted ? 0 : 255
      for x in 0..<row.count / 4 {
        let black = Int(row[x * 4 + 3] ^ inversion)
        for channel in 0..<3 {
          converted[x * 3 + channel] = UInt8((Int(row[x * 4 + channel] ^ inversion) * black + 127) / 255)
        }
      }
    }
    consumer.append(UnsafeBufferPointer(converted))
  }
}
