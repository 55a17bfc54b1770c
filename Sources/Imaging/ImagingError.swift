import Foundation

/// Why a picture could not be read or written.
public struct ImagingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file in question; nil for a picture in memory.
  public let path: BytePath?
  /// What is wrong.
  public let reason: Reason
  /// The open file that couldn't be read or decoded; nil where it couldn't be opened, or nobody knows.
  public let source: FileIdentity?

  /// An error about `path`.
  public init(path: BytePath?, reason: Reason, source: FileIdentity? = nil) {
    self.path = path
    self.reason = reason
    self.source = source
  }

  /// What is wrong with a picture.
  public enum Reason: Error, Sendable, Equatable {
    /// The file could not be opened or read: the system's error number.
    case unreadable(errno: Int32)
    /// Not a regular file (any more): a folder, a pipe, a device.
    case notAFile
    /// The file has no bytes.
    case empty
    /// The file was written to while it was read, twice.
    case changing
    /// The first bytes are no picture's; what they look like instead, if known.
    case notAPicture(looksLike: String?)
    /// A picture of a format that this build has no decoder for.
    case noCodec(ImageFormat)
    /// A picture of a kind that its format's decoder can't show; the decoder's words.
    case unsupported(ImageFormat, String)
    /// The file has more bytes than `DecodingOptions.maximumFileBytes`.
    case tooManyBytes(Int, limit: Int)
    /// The header declares more pixels than `DecodingOptions.maximumPixels`.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// Decoding would take more memory than `DecodingOptions.maximumWorkingBytes`.
    case tooMuchMemory(bytes: Int, limit: Int)
    /// Decoding took longer than `DecodingOptions.maximumSeconds`.
    case tooSlow(seconds: Double)
    /// The caller wants no more pictures.
    case cancelled
    /// The process that decodes crashed or was killed, twice; how it ended.
    case decoderEnded(String)
    /// There is no process that decodes; the system's words.
    case decoderUnavailable(String)
    /// The decoder gave up on the data; its words.
    case damaged(String)
    /// The picture could not be written or encoded; the system's or the library's words.
    case unwritable(String)
  }

  /// Whether the file is a good one that just this build can't read.
  public var isUnsupportedFormat: Bool {
    switch reason {
    case .noCodec, .unsupported: true
    default: false
    }
  }

  /// Whether this build has no decoder for the format at all.
  public var isCodecMissing: Bool {
    if case .noCodec = reason { true } else { false }
  }

  /// Whether it may be gone a moment later, with the file looking no different: nothing that an index may remember. An
  /// empty or unreadable file may just be in the middle of being copied. All other failures come again until the file
  /// changes, or, where `isLimit` or `isCodecMissing`, until the program is told or built otherwise.
  public var isTransient: Bool {
    switch reason {
    case .unreadable, .notAFile, .empty, .changing, .cancelled, .decoderUnavailable, .unwritable: true
    default: false
    }
  }

  /// Whether other `DecodingOptions` might let the picture through.
  public var isLimit: Bool {
    switch reason {
    case .tooManyBytes, .tooManyPixels, .tooMuchMemory, .tooSlow: true
    default: false
    }
  }

  /// Path and reason, in words.
  public var description: String {
    path.map { "\($0.displayName): \(reason)" } ?? "\(reason)"
  }
}

extension ImagingError.Reason: CustomStringConvertible {
  /// What is wrong and, when there is one, the way out, in words.
  public var description: String {
    switch self {
    case .unreadable(let number): "can't be read: \(String(cString: strerror(number)))"
    case .notAFile: "is not a regular file"
    case .empty: "is empty (0 bytes)"
    case .changing: "is being written to; try again when it is whole"
    case .notAPicture(let other): "is not a picture" + (other.map { "; it looks like \($0)" } ?? "")
    case .noCodec(let format): "\(format.name) pictures can't be read by this build"
    case .unsupported(let format, let words): "\(format.name) pictures of this kind can't be read: \(words)"
    case .tooManyBytes(let bytes, let limit): "has \(bytes) bytes, more than the limit of \(limit)"
    case .tooManyPixels(let width, let height, let limit):
      "declares \(width) x \(height) pixels, more than the limit of \(limit); if it is genuine, raise --max-pixels"
    case .tooMuchMemory(let bytes, let limit):
      "would take \(bytes >> 20) MiB to decode, more than the limit of \(limit >> 20) MiB; "
        + "save it without interlacing or progressive mode, or raise --memory"
    case .tooSlow(let seconds):
      "was given up after \(Int(seconds.rounded(.up))) s of decoding; if it is genuine, raise --timeout"
    case .cancelled: "was not decoded: the run was cancelled"
    case .decoderEnded(let words): "makes its decoder fail: \(words)"
    case .decoderUnavailable(let words): "can't be decoded: the process for it \(words)"
    case .damaged(let words): "is damaged: \(words)"
    case .unwritable(let words): "can't be written: \(words)"
    }
  }
}
