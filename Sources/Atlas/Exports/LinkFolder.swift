import Foundation
import Imaging

/// A folder of symbolic links to the pictures, numbered in the order of a path through the map, for programs that show a
/// folder by its names. A hidden file in it says who made them: links of somebody else may be named like ours.
public struct LinkFolder: Sendable {
  /// The name of that file.
  static let marker = Array(".kiano-links".utf8)

  /// The folder.
  public let path: BytePath
  /// The way through the map.
  public let order: CellPath

  /// A folder that need not exist. One that this made is replaced while it holds nothing but its links.
  public init(_ path: BytePath, order: CellPath) {
    self.path = path
    self.order = order
  }

  /// Whether links could be put here, to be asked before hours of work.
  public func check() throws(AtlasError) {
    let parent = path.parent
    guard try FileSystem.kind(parent, followingLink: true) == .folder else { throw AtlasError(path, .noParent) }
    switch try FileSystem.kind(path) {
    case .missing: return
    case .file, .other: throw AtlasError(path, .notAFolder)
    case .folder:
      let names = try FileSystem.names(in: path)
      if names.isEmpty { return }
      guard names.contains(Self.marker), try FileSystem.kind(path.appending(Self.marker)) == .file else {
        throw AtlasError(path, .notLinks)
      }
      for name in names where name != Self.marker && !isOurs(name) { throw AtlasError(path, .notLinks) }
    }
  }

  /// Makes the links beside their place, and puts them there when all are made.
  public func write(_ contents: MapContents) throws(AtlasError) {
    try check()
    let staging = path.parent.appending(
      [UInt8(ascii: ".")] + path.lastComponent + Array(".partial-\(getpid())".utf8))
    try? remove(staging)
    try FileSystem.makeFolder(staging)
    do throws(AtlasError) {
      try FileWriter.write(
        Array("Links made by kiano-gpu; it replaces this folder. Without this file it doesn't.\n".utf8),
        to: staging.appending(Self.marker))
      let entries = contents.entries(along: order)
      let digits = max(6, String(entries.count).count)
      for (number, entry) in entries.enumerated() {
        let link = staging.appending(Self.name(number + 1, digits: digits, entry.picture.path))
        let failure = entry.picture.path.withCString { target in
          link.withCString { symlink(target, $0) == 0 ? 0 : errno }
        }
        guard failure == 0 else { throw AtlasError(link, .unwritable(errno: failure)) }
      }
      if try FileSystem.kind(path) == .folder { try remove(path) }
      let failure = FileSystem.rename(staging, to: path)
      guard failure == 0 else { throw AtlasError(path, .irreplaceable(errno: failure)) }
    } catch {
      try? remove(staging)
      throw error
    }
  }

  /// `000123-NAME`, no longer than names may be, with the ending kept.
  static func name(_ number: Int, digits: Int, _ path: BytePath) -> [UInt8] {
    let figure = String(number)
    let prefix = Array((String(repeating: "0", count: max(0, digits - figure.count)) + figure + "-").utf8)
    let name = Array(path.lastComponent)
    guard prefix.count + name.count > 255 else { return prefix + name }
    let ending = name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[$0...].prefix(20)) } ?? []
    return prefix + name.prefix(255 - prefix.count - ending.count) + ending
  }

  /// Whether a name in the folder is a link that this made.
  private func isOurs(_ name: [UInt8]) -> Bool {
    let digits = name.prefix { (0x30...0x39).contains($0) }.count
    guard digits >= 6, digits < name.count, name[digits] == UInt8(ascii: "-") else { return false }
    var status = stat()
    return path.appending(name).withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Removes a folder of links, and never anything else.
  private func remove(_ folder: BytePath) throws(AtlasError) {
    guard try FileSystem.kind(folder) == .folder else { return }
    for name in try FileSystem.names(in: folder) {
      let link = folder.appending(name)
      let kind = try FileSystem.kind(link)
      guard kind == .other || name == Self.marker && kind == .file else { throw AtlasError(path, .notLinks) }
      try FileSystem.remove(link)
    }
    guard folder.withCString({ rmdir($0) }) == 0 else { throw AtlasError(folder, .unwritable(errno: errno)) }
  }
}
