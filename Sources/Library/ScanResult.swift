import Imaging

/// A file that may be a picture, as the file system describes it.
public struct ScannedFile: Sendable, Equatable {
  /// The root as it was given, continued to the file.
  public let path: BytePath
  /// Which file it is, and in which state; where links are followed, that of the file that they lead to.
  public let identity: FileIdentity

  /// A file of which this is known already.
  public init(path: BytePath, identity: FileIdentity) {
    self.path = path
    self.identity = identity
  }
}

/// A file or folder that a scan could not look at.
public struct ScanFailure: Sendable, Equatable, CustomStringConvertible {
  /// The file or folder.
  public let path: BytePath
  /// The system's error number.
  public let errno: Int32

  /// Path and reason, in words.
  public var description: String {
    "\(path.displayName): can't be read: \(SystemMessage.text(errno))"
  }
}

/// What a scan found.
public struct ScanResult: Sendable, Equatable {
  /// Files to look into, in a stable order: root by root, each folder sorted by the bytes of its names.
  public let files: [ScannedFile]
  /// What was passed over, and what couldn't be looked at.
  public let summary: ScanSummary

  /// This and then another.
  public func followed(by other: ScanResult) -> ScanResult {
    ScanResult(files: files + other.files, summary: summary.followed(by: other.summary))
  }

  /// How much of each kind was passed over; folders count as one.
  public var skipped: [SkippedKind: Int] { summary.skipped }
  /// What couldn't be looked at.
  public var failures: [ScanFailure] { summary.failures }
  /// How many folders were listed.
  public var folderCount: Int { summary.folderCount }
}

/// Why there is no scan.
public enum ScanError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A root can't be looked at: the system's error number.
  case unreadableRoot(BytePath, errno: Int32)
  /// A root is neither a file nor a folder.
  case unsuitableRoot(BytePath)
  /// A list of files or of patterns can't be read: the system's error number.
  case unreadableList(BytePath, errno: Int32)
  /// The caller asked to stop.
  case cancelled

  /// What is wrong and what to look after, in words.
  public var description: String {
    switch self {
    case .unreadableRoot(let path, let number):
      "\(path.displayName): \(SystemMessage.text(number)); is the path right, and the disk mounted?"
    case .unsuitableRoot(let path): "\(path.displayName): is neither a folder nor a file"
    case .unreadableList(let path, let number): "\(path.displayName): can't be read: \(SystemMessage.text(number))"
    case .cancelled: "the scan was cancelled"
    }
  }
}
