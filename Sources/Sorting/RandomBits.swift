/// Counter-based random numbers: each is computed from what it is for, in any order, on any device.
enum RandomBits {
  /// A 32-bit mix (Wellons's lowbias32): each bit of the argument changes about half of the result's.
  static func mix(_ value: UInt32) -> UInt32 {
    var x = value
    x ^= x >> 16
    x &*= 0x7feb_352d
    x ^= x >> 15
    x &*= 0x846c_a68b
    return x ^ (x >> 16)
  }

  /// The `counter`th number of the sequence that `seed` begins (SplitMix64, Steele, Lea & Flood 2014).
  static func number(seed: UInt64, counter: UInt64) -> UInt64 {
    var z = seed &+ (counter &+ 1) &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A seeded bijection of `0 ..< count`: a Feistel network of four rounds on the next power of two, walked on until it
/// lands inside. `kernels/assignment.cl` computes the same one.
struct SeededBijection {
  let count: UInt32
  let key: UInt32
  private let lowBits: UInt32
  private let lowMask: UInt32
  private let highMask: UInt32

  init(count: Int, key: UInt32) {
    self.count = UInt32(count)
    self.key = key
    let bits = count <= 1 ? 0 : UInt32(32 - UInt32(count - 1).leadingZeroBitCount)
    lowBits = (bits + 1) / 2
    lowMask = (1 << lowBits) - 1
    highMask = (1 << (bits - lowBits)) - 1
  }

  /// Where `index`, which is below `count`, goes.
  subscript(index: Int) -> Int {
    var x = UInt32(index)
    repeat {
      var high = x >> lowBits
      var low = x & lowMask
      high ^= RandomBits.mix(low &+ key) & highMask
      low ^= RandomBits.mix(high &+ (key ^ 0x9e37_79b9)) & lowMask
      high ^= RandomBits.mix(low &+ (key ^ 0x85eb_ca6b)) & highMask
      low ^= RandomBits.mix(high &+ (key ^ 0xc2b2_ae35)) & lowMask
      x = high << lowBits | low
    } while x >= count
    return Int(x)
  }
}
