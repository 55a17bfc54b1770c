import Foundation
import Imaging

/// A folder beside a map's, in which the next map is made until it takes the old one's place.
struct StagingFolder {
  /// Where the map is made: `.NAME.partial-PID`.
  let path: BytePath
  private let target: MapFolder

  /// Makes the folder, and removes what earlier runs that didn't end well have left behind.
  init(for target: MapFolder) throws(AtlasError) {
    self.target = target
    path = target.parent.appending(Self.prefix(target) + Array(String(getpid()).utf8))
    try Self.removeLeftovers(of: target)
    do throws(AtlasError) {
      try FileSystem.makeFolder(path)
    } catch {
      // The folder that is asked for says more than one that is never seen.
      throw AtlasError(target.parent, error.reason)
    }
  }

  /// Puts the map in its place: at every moment there is the old one or the new one. Files of the old folder that
  /// aren't a map's move over.
  func commit() throws(AtlasError) {
    guard try FileSystem.kind(target.path) == .folder, try !FileSystem.names(in: target.path).isEmpty else {
      let failure = FileSystem.rename(path, to: target.path)
      guard failure == 0 else { throw AtlasError(target.path, .irreplaceable(errno: failure)) }
      return
    }
    linkForeignFiles()
    try trade()
    // The map is in place: what can't be tidied up is left to the next run.
    try? Self.retire(path, for: target)
  }

  /// Removes the unfinished map. Whatever can't be removed is left to the next run.
  func discard() {
    for name in MapFolder.entries { try? FileSystem.remove(path.appending(name)) }
    _ = path.withCString { rmdir($0) }
  }

  /// Gives files that aren't a map's, such as an index, a second name in the new folder, so that they are at their place
  /// at every moment, for those too who have them open. Where there are no such names they move after the exchange.
  private func linkForeignFiles() {
    let entries = Set(MapFolder.entries.map { Array($0.utf8) })
    for name in (try? FileSystem.names(in: target.path)) ?? [] where !entries.contains(name) {
      let source = target.path.appending(name)
      guard (try? FileSystem.kind(source)) == .file else { continue }
      _ = source.withCString { source in path.appending(name).withCString { link(source, $0) } }
    }
  }

  /// Gives the map the old one's name, and the old one ours.
  private func trade() throws(AtlasError) {
    let failure = FileSystem.exchange(path, target.path)
    if failure == 0 { return }
    // Some network file systems can't exchange names; then the old map is away for a moment.
    guard failure == EINVAL || failure == ENOSYS || failure == ENOTSUP else {
      throw AtlasError(target.path, .irreplaceable(errno: failure))
    }
    let aside = BytePath(path.bytes + Array(".old".utf8))
    let first = FileSystem.rename(target.path, to: aside)
    guard first == 0 else { throw AtlasError(target.path, .irreplaceable(errno: first)) }
    let second = FileSystem.rename(path, to: target.path)
    guard second == 0 else {
      _ = FileSystem.rename(aside, to: target.path)
      throw AtlasError(target.path, .irreplaceable(errno: second))
    }
    _ = FileSystem.rename(aside, to: path)
  }

  // MARK: - Leftovers

  private static func prefix(_ target: MapFolder) -> [UInt8] {
    [UInt8(ascii: ".")] + target.path.lastComponent + Array(".partial-".utf8)
  }

  /// Removes the staging folders of processes that are gone. One of our own number is one of them: in a container
  /// every run may have the same.
  private static func removeLeftovers(of target: MapFolder) throws(AtlasError) {
    let prefix = prefix(target)
    for name in try FileSystem.names(in: target.parent) where name.starts(with: prefix) {
      let digits = name.dropFirst(prefix.count).prefix { (0x30...0x39).contains($0) }
      guard let process = Int32(String(decoding: digits, as: UTF8.self)), process > 0 else { continue }
      if process != getpid(), kill(process, 0) == 0 || errno != ESRCH { continue }
      // Between the two steps of an exchange of which the second never came.
      if name.suffix(4).elementsEqual(".old".utf8), try FileSystem.kind(target.path) == .missing,
        FileSystem.rename(target.parent.appending(name), to: target.path) == 0
      {
        continue
      }
      try retire(target.parent.appending(name), for: target)
    }
  }

  /// Removes a map that was replaced, or never finished; files in it that aren't a map's go to the target's folder.
  private static func retire(_ folder: BytePath, for target: MapFolder) throws(AtlasError) {
    let entries = Set(MapFolder.entries.map { Array($0.utf8) })
    for name in try FileSystem.names(in: folder) where !entries.contains(name) {
      let (source, place) = (folder.appending(name), target.path.appending(name))
      if FileSystem.isSame(source, place) {
        try FileSystem.remove(source)
        continue
      }
      // Where there is no such folder, or it has such a file already, the leftover stays, and so does the file in it.
      guard try FileSystem.kind(place) == .missing else { continue }
      _ = FileSystem.rename(source, to: place)
    }
    for name in MapFolder.entries { try FileSystem.remove(folder.appending(name)) }
    _ = folder.withCString { rmdir($0) }
  }
}
