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

  /// Walks through folders and all folders in them.
  ///
  /// - Parameters:
  ///   - roots: folders, and files, which are taken whatever the rules say of their names. A root that is a symbolic
  ///     link is followed. Where roots overlap, each file is listed once.
  ///   - isCancelled: asked before each folder.
  /// - Throws: when a root can't be looked at: an unmounted disk must not look like an empty library. Everything below
  ///   a root that can't be read is in the result's failures instead.
  public func scan(
    _ roots: [BytePath], isCancelled: () -> Bool = { false }
  ) throws(ScanError) -> ScanResult {
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
    walk.reserve(zip(roots, statuses).filter { $1.kind == .file }.map { ($0, $1.identity) })
    for (root, status) in zip(roots, statuses) {
      if status.kind == .file {
        walk.takeRoot(root, status)
      } else {
        try walk.descend(into: root, status, isCancelled: isCancelled)
      }
    }
    return walk.result
  }
}
