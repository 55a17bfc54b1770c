import Foundation
import Imaging

/// One scan in progress.
struct ScanWalk {
  private let rules: ScanRules
  private(set) var result = ScanResult()
  private var visitedFolders: Set<FileStatus.Identity> = []
  /// Files that are listed as roots, by what they are and what they are called: a hard link of another name is another
  /// picture.
  private var rootFiles: Set<RootFile> = []
  private var listedRoots: Set<RootFile> = []
  /// With links followed, one file may be reached in several ways.
  private var listedFiles: Set<FileStatus.Identity> = []

  private struct RootFile: Hashable {
    let identity: FileStatus.Identity
    let name: [UInt8]
  }

  init(rules: ScanRules) {
    self.rules = rules
  }

  /// Names the roots that are files, before the walk, so that no folder lists them too.
  mutating func reserve(_ files: [(path: BytePath, identity: FileStatus.Identity)]) {
    rootFiles = Set(files.map { RootFile(identity: $0.identity, name: Array($0.path.lastComponent)) })
  }

  /// Lists a root that is a file.
  mutating func takeRoot(_ path: BytePath, _ status: FileStatus) {
    guard listedRoots.insert(RootFile(identity: status.identity, name: Array(path.lastComponent))).inserted else {
      return skip(.repeated)
    }
    take(path, status)
  }

  /// Lists what is in a folder and all folders in it, depth first.
  mutating func descend(into root: BytePath, _ status: FileStatus, isCancelled: () -> Bool) throws(ScanError) {
    // A stack of our own: folders may be nested more deeply than a thread's stack allows.
    var pending = [(path: root, status: status)]
    while let (path, status) = pending.popLast() {
      switch status.kind {
      case .folder:
        if isCancelled() { throw .cancelled }
        pending += entries(of: path, status).reversed()
      case .file: takeEntry(path, status)
      case .link: skip(.link)
      case .special: skip(.special)
      }
    }
  }

  /// The entries of a folder that are not left out by name, in order.
  private mutating func entries(of folder: BytePath, _ status: FileStatus) -> [(path: BytePath, status: FileStatus)] {
    guard visitedFolders.insert(status.identity).inserted else {
      skip(.repeated)
      return []
    }
    let names: [[UInt8]]
    do {
      names = try FolderListing.names(in: folder)
    } catch {
      fail(folder, error)
      return []
    }
    result.folderCount += 1
    let known = Set(names)
    if known.contains(Array(".nomedia".utf8)) {
      skip(.noMedia)
      return []
    }
    if OwnOutput.isMap(folder, names: known) || rules.leavesOut(folder) {
      skip(.ownOutput)
      return []
    }
    return names.compactMap { entry($0, of: folder) }
  }

  private mutating func entry(_ name: [UInt8], of folder: BytePath) -> (path: BytePath, status: FileStatus)? {
    if let reason = ScanRules.reasonToLeaveOut(name) {
      skip(reason)
      return nil
    }
    let path = folder.appending(name)
    do {
      let status = try FileStatus(of: path, followingLink: false)
      guard status.kind == .link, rules.followsLinks else { return (path, status) }
      return (path, try FileStatus(of: path, followingLink: true))
    } catch {
      fail(path, error)
      return nil
    }
  }

  private mutating func takeEntry(_ path: BytePath, _ status: FileStatus) {
    if rootFiles.contains(RootFile(identity: status.identity, name: Array(path.lastComponent))) {
      return skip(.repeated)
    }
    take(path, status)
  }

  /// Lists a file if it may be a picture.
  private mutating func take(_ path: BytePath, _ status: FileStatus) {
    if case .left(let kind) = FileKind(path), !(kind == .other && looksLikePicture(path)) { return skip(kind) }
    if rules.followsLinks, !listedFiles.insert(status.identity).inserted { return skip(.repeated) }
    result.files.append(
      ScannedFile(
        path: path, size: status.size, modifiedNanoseconds: status.modifiedNanoseconds,
        device: status.identity.device, inode: status.identity.inode))
  }

  private func looksLikePicture(_ path: BytePath) -> Bool {
    rules.looksIntoUnknownFiles
      && FileHead.read(path, count: ImageFormat.headLength).withUnsafeBytes { ImageFormat.recognise($0) != nil }
  }

  private mutating func skip(_ kind: SkippedKind) {
    result.skipped[kind, default: 0] += 1
  }

  private mutating func fail(_ path: BytePath, _ error: SystemError) {
    switch error.number {
    case ENOENT where !isLink(path): skip(.vanished)
    case ENOENT, ELOOP: skip(.link)
    default: result.failures.append(ScanFailure(path: path, errno: error.number))
    }
  }

  /// Whether a path is a link, which may lead nowhere.
  private func isLink(_ path: BytePath) -> Bool {
    (try? FileStatus(of: path, followingLink: false))?.kind == .link
  }
}
