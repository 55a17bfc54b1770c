import Imaging
import Library

/// Which files are taken, and how they are decoded.
public struct IngestionSettings: Sendable {
  /// What a scan leaves out and what it follows.
  public var scan = ScanRules()
  /// A list of files to take beside the roots: a file's path, or `-` for standard input.
  public var list: (source: BytePath, separator: PathList.Separator)?
  /// Limits of decoding, and what the network sees: the centre of a picture, as the thumbnail shows it, since vectors of
  /// that found more photos of the same kind than those of the whole, squeezed. docs/guide/vectors.md has the figures.
  public var decoding: DecodingOptions = {
    var options = DecodingOptions()
    options.framing = .centreCrop
    return options
  }()
  /// The processes that decode; nil decodes within this one.
  public var isolation: DecoderIsolation?

  /// The defaults.
  public init() {}
}
