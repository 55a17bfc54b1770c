/// What a scan passes over, for counting. None of it is an error.
public enum SkippedKind: String, Sendable, CaseIterable {
  /// Films.
  case video
  /// Raw sensor data of cameras, which a picture usually lies beside.
  case raw
  /// Notes about pictures: XMP, edits, exports' JSON.
  case sidecar
  /// Files of any other kind.
  case other
  /// Files and folders whose name begins with a dot.
  case hidden
  /// What systems keep in folders for themselves: thumbnails, views, trash.
  case system
  /// What patterns leave out.
  case excluded
  /// Folders deeper than asked for.
  case tooDeep
  /// Folders on another file system than their root.
  case otherFileSystem
  /// Folders that hold a `.nomedia` file.
  case noMedia
  /// Maps that this program wrote, and folders that the caller left out.
  case ownOutput
  /// Symbolic links that aren't followed, or lead nowhere.
  case link
  /// Pipes, sockets and devices.
  case special
  /// Files and folders reached a second time, through another root or link.
  case repeated
  /// What was gone between being listed and being looked at.
  case vanished

  /// The kind in words, for counts.
  public var label: String {
    switch self {
    case .video: "films"
    case .raw: "RAW files"
    case .sidecar: "sidecars"
    case .other: "other files"
    case .hidden: "hidden"
    case .system: "system folders"
    case .noMedia: "folders with .nomedia"
    case .excluded: "excluded"
    case .tooDeep: "too deep"
    case .otherFileSystem: "on other file systems"
    case .ownOutput: "maps"
    case .link: "links"
    case .special: "pipes and devices"
    case .repeated: "seen before"
    case .vanished: "vanished"
    }
  }
}
