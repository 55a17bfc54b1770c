import Imaging

/// What a scan leaves out and what it follows. Applied anew at each scan.
public struct ScanRules: Sendable {
  /// Whether symbolic links inside of roots are followed; each file and folder then counts once, so that loops end.
  public var followsLinks = false
  /// Whether files whose extension says nothing are opened to see if their first bytes are a picture's.
  public var looksIntoUnknownFiles = false
  /// Whether files and folders whose name begins with a dot are taken too; `._*`, which macOS writes beside pictures,
  /// and trash folders stay out.
  public var takesHidden = false
  /// Whether folders on other file systems than their root are left out.
  public var staysOnFileSystem = false
  /// How many levels of folders are looked into: 1 takes only what is directly in a root. Nil for all.
  public var maximumDepth: Int?
  /// Patterns relative to each root. The last one that matches an entry holds, and goes before those of `.kianoignore`
  /// files.
  public var patterns: [IgnorePattern] = []
  /// Folders for which this says true are left out, besides the maps that this program wrote.
  public var leavesOut: @Sendable (BytePath) -> Bool = { _ in false }

  /// The defaults.
  public init() {}

  /// Why an entry of a folder is left out for its name, whatever it holds; nil when it isn't.
  func reasonToLeaveOut(_ name: ArraySlice<UInt8>) -> SkippedKind? {
    if name.first == UInt8(ascii: ".") {
      let isNeverPicture = name.starts(with: "._".utf8) || name.starts(with: ".Trash".utf8)
      return takesHidden && !isNeverPicture ? nil : .hidden
    }
    return Self.systemNames.contains(String(decoding: name, as: UTF8.self).lowercased()) ? .system : nil
  }

  /// In lower case; hidden ones need no mention.
  private static let systemNames: Set = [
    // Thumbnails and bins of network drives (Synology, QNAP), Windows, and Linux file systems.
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "thumbs.db", "ehthumbs.db", "desktop.ini",
    "$recycle.bin", "recycler", "system volume information", "lost+found", "icon\r", "__macosx",
  ]
}
