/// A picture in memory: sRGB, 8 bits, red, green, blue for each pixel, row by row from the top, no padding.
public struct RGBImage: Sendable, Equatable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// `height` x `width` x 3 bytes.
  public var pixels: [UInt8]

  /// A picture of given pixels.
  ///
  /// - Precondition: `pixels` holds 3 bytes for each of `width` x `height` pixels.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 3, "an RGB picture has 3 bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
