import Compute
import Imaging

/// Why a job didn't do what it was asked to. `kind` is what the command line's exit code comes from.
public struct EngineError: Error, Sendable, CustomStringConvertible {
  /// What sort of failure it is.
  public enum Kind: Sendable {
    /// Something went wrong.
    case failed
    /// What was asked for makes no sense.
    case usage
    /// There is nothing to work on.
    case nothingUsable
    /// The device that was asked for can't be used.
    case device
    /// The index is in use, damaged, or of something else.
    case index
    /// The job was told to end.
    case cancelled
  }

  /// What sort of failure it is.
  public let kind: Kind
  /// What went wrong, in words, with the path or device and what a person can do.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  static let cancelled = EngineError(.cancelled, "interrupted")
}

extension BytePath {
  /// An error about this path with the system's word for `errno`.
  func failure(_ action: String, errno code: Int32, advice: String = "") -> EngineError {
    EngineError(.failed, "\(displayName) can't be \(action): \(systemMessage(code))\(advice)")
  }
}
