import Foundation

@testable import Imaging

/// Small helpers of these tests.
enum TestFiles {
  /// The bytes of a file.
  static func bytes(_ path: BytePath) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: String(decoding: path.bytes, as: UTF8.self))))
  }

  /// A file's upright picture at full size.
  static func decodeWhole(_ path: BytePath) throws -> RGBImage {
    try PictureDecoder().decodeWhole(bytes(path), workspace: DecodingWorkspace())
  }

  /// A picture of random pixels.
  static func noise(width: Int, height: Int, seed: UInt64 = 1) -> RGBImage {
    var random = SplitMix64(state: seed)
    let pixels = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// Resizes a picture, or a part of it.
  static func reduce(
    _ image: RGBImage, width: Int, height: Int, part: AreaReducer.Rectangle? = nil
  ) -> RGBImage {
    let whole = AreaReducer.Rectangle(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
    let reducer = AreaReducer()
    reducer.begin(part ?? whole, width: width, height: height)
    image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<image.height {
        reducer.append(UnsafeBufferPointer(rebasing: pixels[y * image.width * 3..<(y + 1) * image.width * 3]))
      }
    }
    return RGBImage(width: width, height: height, pixels: Array(reducer.pixels(0)))
  }
}

/// A generator that gives the same numbers at each run (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
