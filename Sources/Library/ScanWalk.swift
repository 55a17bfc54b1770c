import Foundation
import Imaging

/// One scan in progress.
struct ScanWalk {
  private let rules: ScanRules
  private(set) var summary = ScanSummary()
  private var visitedFolders: Set<FileStatus.Node> = []
  /// Files that are listed as roots, by what they are and what they are called: a hard link of another name is another
  /// picture.
  private var rootFiles: Set<RootFile> = []
  private var listedRoots: Set<RootFile> = []
  /// With links followed, one file may be reached in several ways.
  private var listedFiles: Set<FileStatus.Node> = []

  private struct RootFile: Hashable {
    let node: FileStatus.Node
    let name: [UInt8]
  }

  /// A folder that is being gone through.
  private struct Level {
    let folder: BytePath
    let names: FolderListing
    var next = 0
    /// `.kianoignore` files in force outside of it.
    let outerIgnoreFiles: Int
  }

  /// A root that is a folder.
  private struct Root {
    let device: UInt64
    var ignore: IgnoreRules
    var levels: [Level] = []
  }

  init(rules: ScanRules) {
    self.rules = rules
  }

  /// Names the roots that are files, before the walk, so that no folder lists them too.
  mutating func reserve(_ files: [(path: BytePath, node: FileStatus.Node)]) {
    rootFiles = Set(files.map { RootFile(node: $0.node, name: Array($0.path.lastComponent)) })
  }

  /// Lists a root that is a file.
  mutating func takeRoot(_ path: BytePath, _ status: FileStatus, found: (ScannedFile) -> Void) {
    guard listedRoots.insert(RootFile(node: status.node, name: Array(path.lastComponent))).inserted else {
      return skip(.repeated)
    }
    take(path, status, found: found)
  }

  /// Lists a file that a list names.
  mutating func takeListed(_ path: BytePath, found: (ScannedFile) -> Void) {
    do {
      let status = try FileStatus(of: path, followingLink: true)
      switch status.kind {
      case .file: take(path, status, found: found)
      case .folder: fail(path, SystemError(number: EISDIR))
      case .link, .special: skip(.special)
      }
    } catch {
      // A path that someone wrote down is missed, unlike one that vanishes during a walk.
      summary.failures.append(ScanFailure(path: path, errno: error.number))
    }
  }

  /// Lists what is in a folder and all folders in it, depth first.
  mutating func descend(
    into folder: BytePath, _ status: FileStatus, isCancelled: () -> Bool, found: (ScannedFile) -> Void
  ) throws(ScanError) {
    var root = Root(device: status.node.device, ignore: IgnoreRules(patterns: rules.patterns, root: folder))
    try enter(folder, status, of: &root, isCancelled: isCancelled)
    // A stack of our own: folders may be nested more deeply than a thread's stack allows.
    while let level = root.levels.last {
      if level.next == level.names.count {
        root.ignore.pop(to: level.outerIgnoreFiles)
        root.levels.removeLast()
        continue
      }
      root.levels[root.levels.count - 1].next += 1
      if level.next % 1024 == 1023, isCancelled() { throw .cancelled }
      guard let (path, status) = entry(level.names[level.next], of: level.folder, root) else { continue }
      switch status.kind {
      case .folder: try enter(path, status, of: &root, isCancelled: isCancelled)
      case .file: takeEntry(path, status, found: found)
      case .link: skip(.link)
      case .special: skip(.special)
      }
    }
  }

  /// Puts a folder on the stack unless there is a reason to leave it out.
  private mutating func enter(
    _ folder: BytePath, _ status: FileStatus, of root: inout Root, isCancelled: () -> Bool
  ) throws(ScanError) {
    if isCancelled() { throw .cancelled }
    if let deepest = rules.maximumDepth, root.levels.count >= deepest { return skip(.tooDeep) }
    if rules.staysOnFileSystem, status.node.device != root.device { return skip(.otherFileSystem) }
    guard visitedFolders.insert(status.node).inserted else { return skip(.repeated) }
    let names: FolderListing
    do {
      names = try FolderListing(folder)
    } catch {
      return fail(folder, error)
    }
    summary.folderCount += 1
    if names.contains(".nomedia") { return skip(.noMedia) }
    if OwnOutput.isMap(folder, names: names) || rules.leavesOut(folder) { return skip(.ownOutput) }
    root.levels.append(Level(folder: folder, names: names, outerIgnoreFiles: root.ignore.depth))
    if names.contains(".kianoignore") {
      let file = folder.appending(IgnoreFile.name)
      do {
        root.ignore.push(try IgnoreFile.patterns(at: file), of: folder)
      } catch {
        // Without its rules, what they were to leave out is taken; that mustn't go unnoticed.
        fail(file, error)
      }
    }
  }

  private mutating func entry(
    _ name: ArraySlice<UInt8>, of folder: BytePath, _ root: Root
  ) -> (path: BytePath, status: FileStatus)? {
    let reason = rules.reasonToLeaveOut(name)
    // Only patterns could still bring it back.
    if let reason, rules.patterns.isEmpty, root.ignore.depth == 0 {
      skip(reason)
      return nil
    }
    let path = folder.appending(name)
    do {
      var status = try FileStatus(of: path, followingLink: false)
      if status.kind == .link, rules.followsLinks { status = try FileStatus(of: path, followingLink: true) }
      let verdict = root.ignore.verdict(path, name: name, isFolder: status.kind == .folder)
      if verdict != true, let reason = verdict == false ? .excluded : reason {
        skip(reason)
        return nil
      }
      return (path, status)
    } catch {
      fail(path, error)
      return nil
    }
  }

  private mutating func takeEntry(_ path: BytePath, _ status: FileStatus, found: (ScannedFile) -> Void) {
    if !rootFiles.isEmpty,
      rootFiles.contains(RootFile(node: status.node, name: Array(path.lastComponent)))
    {
      return skip(.repeated)
    }
    take(path, status, found: found)
  }

  /// Lists a file if it may be a picture.
  private mutating func take(_ path: BytePath, _ status: FileStatus, found: (ScannedFile) -> Void) {
    if case .left(let kind) = FileKind(path), !(kind == .other && looksLikePicture(path)) { return skip(kind) }
    if rules.followsLinks, !listedFiles.insert(status.node).inserted { return skip(.repeated) }
    summary.fileCount += 1
    found(ScannedFile(path: path, identity: status.identity))
  }

  private func looksLikePicture(_ path: BytePath) -> Bool {
    rules.looksIntoUnknownFiles
      && FileHead.read(path, count: ImageFormat.headLength).withUnsafeBytes { ImageFormat.recognise($0) != nil }
  }

  private mutating func skip(_ kind: SkippedKind) {
    summary.skipped[kind, default: 0] += 1
  }

  private mutating func fail(_ path: BytePath, _ error: SystemError) {
    switch error.number {
    case ENOENT where !isLink(path): skip(.vanished)
    case ENOENT, ELOOP: skip(.link)
    default: summary.failures.append(ScanFailure(path: path, errno: error.number))
    }
  }

  /// Whether a path is a link, which may lead nowhere.
  private func isLink(_ path: BytePath) -> Bool {
    (try? FileStatus(of: path, followingLink: false))?.kind == .link
  }
}
