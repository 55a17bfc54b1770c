import Imaging
import Library

/// Which files are taken, and how they are decoded.
public struct IngestionSettings: Sendable {
  /// What a scan leaves out and what it follows.
  public var scan = ScanRules()
  /// A list of files to take beside the roots: a file's path, or `-` for standard input.
  public var list: (source: BytePath, separator: PathList.Separator)?
  /// Limits of decoding.
  public var decoding = DecodingOptions()
  /// The processes that decode; nil decodes within this one.
  public var isolation: DecoderIsolation?

  /// The defaults.
  public init() {}
}
