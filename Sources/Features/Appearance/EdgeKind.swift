/// The five kinds of edge in a window of 2x2 blocks.
///
/// Source: Manjunath, Ohm, Vasudevan, Yamada 2001, "Color and Texture Descriptors" (MPEG-7's edge histogram), figure 12.
enum EdgeKind: Int, CaseIterable {
  case vertical, horizontal, diagonal45, diagonal135, nondirectional

  /// Responses up to this, six hundredths of white's lightness, are no edge.
  static let threshold: Int32 = 100_000

  /// The kind with the strongest response to the lightness of a window's blocks, the first of equals; nothing where
  /// all are weak.
  init?(topLeft: Int32, topRight: Int32, bottomLeft: Int32, bottomRight: Int32) {
    // 181 / 128 is the square root of 2.
    let responses = [
      abs(topLeft - topRight + bottomLeft - bottomRight),
      abs(topLeft + topRight - bottomLeft - bottomRight),
      (181 * abs(topLeft - bottomRight)) >> 7,
      (181 * abs(topRight - bottomLeft)) >> 7,
      2 * abs(topLeft - topRight - bottomLeft + bottomRight),
    ]
    var strongest = 0
    for kind in 1..<responses.count where responses[kind] > responses[strongest] { strongest = kind }
    guard responses[strongest] > Self.threshold else { return nil }
    self.init(rawValue: strongest)
  }
}
