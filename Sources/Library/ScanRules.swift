import Imaging

/// What a scan leaves out and what it follows. Applied anew at each scan.
public struct ScanRules: Sendable {
  /// Whether symbolic links inside of roots are followed; each file and folder then counts once, so that loops end.
  public var followsLinks = false
  /// Whether files whose extension says nothing are opened to see if their first bytes are a picture's.
  public var looksIntoUnknownFiles = false
  /// Folders for which this says true are left out, besides the maps that this program wrote.
  public var leavesOut: @Sendable (BytePath) -> Bool = { _ in false }

  /// The defaults.
  public init() {}

  /// Why an entry of a folder is left out, whatever it holds; nil when it isn't.
  static func reasonToLeaveOut(_ name: [UInt8]) -> SkippedKind? {
    if name.first == UInt8(ascii: ".") { return .hidden }
    return systemNames.contains(String(decoding: name, as: UTF8.self).lowercased()) ? .system : nil
  }

  /// In lower case; hidden ones need no mention.
  private static let systemNames: Set = [
    // Thumbnails and bins of network drives (Synology, QNAP), Windows, and Linux file systems.
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "thumbs.db", "ehthumbs.db", "desktop.ini",
    "$recycle.bin", "recycler", "system volume information", "lost+found", "icon\r", "__macosx",
  ]
}
