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
  /// Pictures that would take more memory, file and decoding together, are refused, in bytes; those that take much of
  /// it wait until all of them together keep within it. Only progressive JPEG, interlaced PNG and formats that are
  /// decoded whole come near it, at hundreds of megapixels; others are decoded in passing. 2 GiB, or half of what there
  /// is.
  public var maximumWorkingBytes = min(2 << 30, AvailableMemory.bytes / 2)
  /// Whether the thumbnail that a file holds (JPEG's EXIF block, HEIF) is enough where it has the picture's shape:
  /// faster by far, less sharp.
  public var prefersEmbeddedThumbnails = false
  /// A picture that takes longer is given up, in seconds; 0 for no limit. It holds for all with `DecoderIsolation` only:
  /// within a process nothing stops codecs that decode a picture in one call, those of JPEG and HEIF.
  public var maximumSeconds = 60.0

  /// The defaults.
  public init() {}
}
