/// How much of some blocks is of which colour: a joint histogram of three lightnesses by grey and five hues, whose
/// limits are soft, so that a small change of colour is a small change of the histogram.
///
/// A block of one colour adds 2^16, divided among two lightnesses, among grey and hue, and among two hues.
struct ColourShares {
  /// Grey and the hues.
  private static let colours = 6
  /// Bins: lightness by colour.
  static let count = 3 * colours

  /// What has been added, [3][6]: dark, middling, light; grey, then the hues from that of a on.
  private(set) var masses = [Int32](repeating: 0, count: count)

  mutating func add(_ colour: Oklab) {
    let half = Oklab.one / 2
    let lightness = min(max(colour.lightness, 0), Oklab.one)
    let level = lightness >= half ? 1 : 0
    let lighter = ((lightness - Int32(level) * half) << 8) / half
    let (a, b) = (abs(colour.a), abs(colour.b))
    // The length of (a, b) within a fifteenth; grey up to a hundredth of white's lightness, all hue from nine on.
    let chroma = max(a, b) + (3 * min(a, b)) >> 3
    let coloured = min(max((chroma - 16_640) >> 9, 0), 256)
    let hue = HuePosition(a: colour.a, b: colour.b)
    let next = (coloured * hue.next) >> 8
    for (lightness, share) in [(level, 256 - lighter), (level + 1, lighter)] {
      let first = lightness * Self.colours
      masses[first] += share * (256 - coloured)
      masses[first + 1 + hue.bin] += share * (coloured - next)
      masses[first + 1 + (hue.bin + 1) % 5] += share * next
    }
  }
}

/// Where a hue is between two of the five.
private struct HuePosition {
  let bin: Int
  /// 0..<256: how near it is to the one behind `bin`.
  let next: Int32

  /// By the angle in the taxicab metric, which takes no trigonometry: 2,048 for each quarter turn.
  init(a: Int32, b: Int32) {
    let quarter: Int32 = b >= 0 ? (a >= 0 ? 0 : 1) : (a < 0 ? 2 : 3)
    let along = quarter % 2 == 0 ? abs(b) : abs(a)
    let angle = quarter << 11 + (along << 11) / max(abs(a) + abs(b), 1)
    let position = angle * 5 / 4
    bin = Int(position >> 11) % 5
    next = (position & 2047) >> 3
  }
}

/// The square root of up to 2^26, rounded down, bit by bit (Warren, "Hacker's Delight", second edition, section 11-1).
func squareRoot(_ value: UInt32) -> UInt32 {
  var (rest, root, bit) = (value, UInt32(0), UInt32(1) << 26)
  while bit != 0 {
    if rest >= root + bit {
      rest -= root + bit
      root = root >> 1 + bit
    } else {
      root >>= 1
    }
    bit >>= 2
  }
  return root
}
