/// How pictures are decoded, and what is refused.
public struct DecodingOptions: Sendable, Equatable {
  /// Which part of a picture the network sees.
  public enum Framing: String, Sendable, CaseIterable {
    /// All of it, squeezed to a square.
    case squeeze
    /// The largest square round its centre.
    case centreCrop = "crop"
  }

  /// Side of the network's square input, in pixels.
  public var inputSide = 128
  /// Which part the network sees.
  public var framing = Framing.squeeze
  /// Side of the square thumbnail, in pixels.
  public var thumbnailSide = 128
  /// Pictures that declare more pixels are refused; the default lets a 500-megapixel panorama through.
  public var maximumPixels = 600_000_000
  /// Larger files are refused.
  public var maximumFileBytes = 2 << 30
  /// Pictures whose decoding would take more memory are refused, in bytes. Only progressive JPEG and interlaced PNG
  /// files of hundreds of megapixels come near it; others are decoded in passing.
  public var maximumWorkingBytes = 2 << 30

  /// The defaults.
  public init() {}
}
