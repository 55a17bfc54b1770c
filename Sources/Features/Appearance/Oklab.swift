import Foundation

/// Oklab in integers, so that every device gives the same bits.
///
/// Source: Björn Ottosson 2020, "A perceptual color space for image processing",
/// https://bottosson.github.io/posts/oklab/. Its two matrices are here in 12 and 10 bits; the rows of the second that
/// give a and b sum to zero, as they should, so that greys have no colour.
struct Oklab: Equatable {
  /// L of white. L is 0...one, a and b are within +-0.4 of it.
  static let one: Int32 = 1625 << 10

  let lightness: Int32
  let a: Int32
  let b: Int32

  /// The colour of a linear RGB value whose channels are 0...16 * 65535.
  init(linear red: UInt32, _ green: UInt32, _ blue: UInt32) {
    // Rows sum to 4096, so that white just fits into 32 bits.
    let l = Int32(cubeRoot(1688 * red + 2197 * green + 211 * blue))
    let m = Int32(cubeRoot(868 * red + 2788 * green + 440 * blue))
    let s = Int32(cubeRoot(362 * red + 1154 * green + 2580 * blue))
    lightness = 215 * l + 813 * m - 4 * s
    a = 2026 * l - 2487 * m + 461 * s
    b = 27 * l + 801 * m - 828 * s
  }

  /// The linear value, 0...65535, of each byte of sRGB (IEC 61966-2-1).
  static let linearTable: [Int32] = (0..<256).map { byte in
    let value = Double(byte) / 255
    let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    return Int32((linear * 65535).rounded())
  }
}

/// The cube root rounded down, bit by bit (Warren, "Hacker's Delight", second edition, section 11-2).
func cubeRoot(_ value: UInt32) -> UInt32 {
  var rest = value
  var root: UInt32 = 0
  for shift in stride(from: UInt32(30), through: 0, by: -3) {
    root <<= 1
    let step = (3 * root * (root + 1) + 1) << shift
    if rest >= step {
      rest -= step
      root += 1
    }
  }
  return root
}
