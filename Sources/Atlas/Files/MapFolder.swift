import Foundation
import Imaging

/// The folder that a map lies in, and the rules for replacing it.
///
/// Nothing in it is ever deleted but the entries of a map: whatever else is there, an index for example, moves on to
/// the next map.
struct MapFolder: Sendable {
  /// The entries of a map.
  static let entries = necessaryEntries + ["map.png", "map.jpg"] + MapExport.allCases.map(\.fileName)
  /// Those that every map has.
  static let necessaryEntries = ["index.html", "viewer", "data", "tiles", "map.json", "failures.tsv"]
  /// What else of ours may be there before the first map: SQLite's files begin with this.
  private static let indexName = "index.sqlite"

  /// Where the map goes. A link stays and its target is replaced.
  let path: BytePath

  /// A folder that need not exist yet.
  init(_ path: BytePath) {
    let trimmed = BytePath(path.bytes.prefix(1) + Self.droppingSlashes(path.bytes.dropFirst()))
    self.path = FileSystem.resolved(trimmed) ?? trimmed
  }

  /// What the folder is in.
  var parent: BytePath { path.parent }

  /// Whether a map may be put here.
  /// - Parameter force: whether a folder of someone else's files will do.
  func check(force: Bool) throws(AtlasError) {
    guard try FileSystem.kind(parent, followingLink: true) == .folder else { throw AtlasError(path, .noParent) }
    switch try FileSystem.kind(path) {
    case .missing: return
    case .folder: break
    case .file, .other: throw AtlasError(path, .notAFolder)
    }
    let isAllowed = try force ? true : isOurs
    guard isAllowed else { throw AtlasError(path, .foreignFolder) }
    // Where a disk is mounted the folder can't be renamed, which would show only at the end.
    guard try FileSystem.device(path) == FileSystem.device(parent) else {
      throw AtlasError(path, .irreplaceable(errno: EBUSY))
    }
  }

  /// Whether the folder is empty, holds a map of ours, or nothing but our index.
  private var isOurs: Bool {
    get throws(AtlasError) {
      let names = try FileSystem.names(in: path)
      if names.allSatisfy({ $0.starts(with: Self.indexName.utf8) }) { return true }
      guard names.contains(Array("map.json".utf8)) else { return false }
      let head = String(decoding: try FileSystem.read(path.appending("map.json"), count: 512), as: UTF8.self)
      return head.contains("\"program\"") && head.contains("kiano-gpu")
    }
  }

  private static func droppingSlashes(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    Array(bytes.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
  }
}
