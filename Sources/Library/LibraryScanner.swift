import Foundation
import Imaging

/// Finds the files that may be pictures. Nothing is written, and nothing but regular files is ever opened.
public struct LibraryScanner: Sendable {
  /// What is left out and what is followed.
  public let rules: ScanRules

  /// A scanner with these rules.
  public init(rules: ScanRules = ScanRules()) {
    self.rules = rules
  }

  /// Walks through folders and all folders in them, and collects what it finds.
  ///
  /// - Parameters:
  ///   - roots: folders, and files, which are taken whatever the rules say of their names. A root that is a symbolic
  ///     link is followed. Where roots overlap, each file is listed once.
  ///   - isCancelled: asked before each folder, and now and then within large ones.
  /// - Throws: when a root can't be looked at: an unmounted disk must not look like an empty library. Everything below
  ///   a root that can't be read is in the result's failures instead.
  public func scan(
    _ roots: [BytePath], isCancelled: () -> Bool = { false }
  ) throws(ScanError) -> ScanResult {
    var files: [ScannedFile] = []
    let summary = try visit(roots, isCancelled: isCancelled) { files.append($0) }
    return ScanResult(files: files, summary: summary)
  }

  /// Does as `scan`, but hands each file over instead of collecting them: memory doesn't grow with their number, except
  /// for 16 bytes a folder, and a file where links are followed.
  ///
  /// - Parameter found: takes each file, in a stable order: root by root, each folder sorted by the bytes of its names.
  public func visit(
    _ roots: [BytePath], isCancelled: () -> Bool = { false }, found: (ScannedFile) -> Void
  ) throws(ScanError) -> ScanSummary {
    var walk = ScanWalk(rules: rules)
    var statuses: [FileStatus] = []
    for root in roots {
      let status: FileStatus
      do {
        status = try FileStatus(of: root, followingLink: true)
      } catch {
        throw .unreadableRoot(root, errno: error.number)
      }
      guard status.kind == .file || status.kind == .folder else { throw .unsuitableRoot(root) }
      statuses.append(status)
    }
    walk.reserve(zip(roots, statuses).filter { $1.kind == .file }.map { ($0, $1.node) })
    for (root, status) in zip(roots, statuses) {
      if status.kind == .file {
        walk.takeRoot(root, status, found: found)
      } else {
        try walk.descend(into: root, status, isCancelled: isCancelled, found: found)
      }
    }
    return walk.summary
  }

  /// Looks at the files that a list names, in its order. Folders in it are failures, as are files that can't be looked
  /// at. A file named twice is found twice.
  ///
  /// - Parameters:
  ///   - list: the paths.
  ///   - isCancelled: asked before each file.
  ///   - found: takes each file.
  public func visit(
    _ list: PathList, isCancelled: () -> Bool = { false }, found: (ScannedFile) -> Void
  ) throws(ScanError) -> ScanSummary {
    var walk = ScanWalk(rules: rules)
    while let path = try list.next() {
      if isCancelled() { throw .cancelled }
      walk.takeListed(path, found: found)
    }
    return walk.summary
  }

  /// Does as `visit` for a list, and collects the files.
  public func scan(_ list: PathList, isCancelled: () -> Bool = { false }) throws(ScanError) -> ScanResult {
    var files: [ScannedFile] = []
    let summary = try visit(list, isCancelled: isCancelled) { files.append($0) }
    return ScanResult(files: files, summary: summary)
  }
}
