/// Damages bytes, the same way at each run.
struct Mutator {
  private var state: UInt64

  /// - Parameter seed: another one damages otherwise.
  init(seed: UInt64) {
    state = seed
  }

  /// What became of one of the samples.
  mutating func next(_ samples: [[UInt8]]) -> [UInt8] {
    var bytes = samples[below(samples.count)]
    for _ in 0...below(4) where !bytes.isEmpty { damage(&bytes, samples) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8], _ samples: [[UInt8]]) {
    let place = below(bytes.count)
    switch below(10) {
    case 0...2: bytes[place] = UInt8(below(256))
    case 3: bytes[place] ^= 1 << UInt8(below(8))
    case 4: bytes[place] = Self.extremes[below(Self.extremes.count)]
    case 5: writeNumber(&bytes, at: place)
    case 6: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
    case 7: bytes.removeLast(bytes.count - place)
    case 8: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + below(16))], at: below(bytes.count))
    default:
      let other = samples[below(samples.count)]
      if !other.isEmpty { bytes = Array(bytes[..<place]) + other[below(other.count)...] }
    }
  }

  private static let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF] + Array("*/\\[]!?-{}',:()\"#\n\r 9".utf8)

  /// Sizes and offsets at which sums go wrong, in 2, 4 or 8 bytes and either order.
  private mutating func writeNumber(_ bytes: inout [UInt8], at place: Int) {
    let values: [UInt64] = [
      0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, .max - 1, .max,
      UInt64(bytes.count), UInt64(place),
    ]
    let value = values[below(values.count)]
    let length = 2 << below(3)
    let isBigEndian = below(2) == 0
    for index in 0..<length where place + index < bytes.count {
      let shift = UInt64(8 * (isBigEndian ? length - 1 - index : index))
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// A number from 0 to `count` - 1 (Steele, Lea, Flood 2014).
  private mutating func below(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(count))
  }
}
