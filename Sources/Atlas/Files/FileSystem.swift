import CFileSystem
import Foundation
import Imaging

/// What a map needs of the file system, by bytes and without following links.
enum FileSystem {
  /// What a path leads to.
  enum Kind {
    case missing, file, folder, other
  }

  /// - Parameter followingLink: whether a symbolic link's target is meant; else a link is `other`.
  static func kind(_ path: BytePath, followingLink: Bool = false) throws(AtlasError) -> Kind {
    var status = stat()
    guard path.withCString({ fstatat(AT_FDCWD, $0, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW) }) == 0 else {
      if errno == ENOENT { return .missing }
      throw AtlasError(path, .unreadable(errno: errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The file system that a path leads to.
  static func device(_ path: BytePath) throws(AtlasError) -> UInt64 {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { throw AtlasError(path, .unreadable(errno: errno)) }
    return UInt64(status.st_dev)
  }

  /// Whether two paths are names of one file.
  static func isSame(_ first: BytePath, _ second: BytePath) -> Bool {
    var (one, other) = (stat(), stat())
    return first.withCString { lstat($0, &one) } == 0 && second.withCString { lstat($0, &other) } == 0
      && one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// The names in a folder, in no order.
  static func names(in folder: BytePath) throws(AtlasError) -> [[UInt8]] {
    guard let listing = folder.withCString({ opendir($0) }) else {
      throw AtlasError(folder, .unreadable(errno: errno))
    }
    defer { closedir(listing) }
    var names: [[UInt8]] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { [UInt8]($0.prefix { $0 != 0 }) }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    return names
  }

  static func makeFolder(_ path: BytePath) throws(AtlasError) {
    guard path.withCString({ mkdir($0, 0o777) }) == 0 else { throw AtlasError(path, .unwritable(errno: errno)) }
  }

  /// Removes a file, a link, or a folder with all that is in it. What is missing already is no error.
  static func remove(_ path: BytePath) throws(AtlasError) {
    if try kind(path) == .folder {
      for name in try names(in: path) { try remove(path.appending(name)) }
      guard path.withCString({ rmdir($0) }) == 0 || errno == ENOENT else {
        throw AtlasError(path, .unwritable(errno: errno))
      }
    } else {
      guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw AtlasError(path, .unwritable(errno: errno))
      }
    }
  }

  /// Moves `source` to `target`; an empty folder or a file there is replaced.
  /// - Returns: the system's error number, 0 where all went well.
  static func rename(_ source: BytePath, to target: BytePath) -> Int32 {
    source.withCString { source in target.withCString { Foundation.rename(source, $0) } } == 0 ? 0 : errno
  }

  /// Lets two names trade what they lead to, at once.
  /// - Returns: the system's error number, 0 where all went well.
  static func exchange(_ first: BytePath, _ second: BytePath) -> Int32 {
    first.withCString { first in second.withCString { kiano_exchange(first, $0) } }
  }

  /// A path without links and `..`; nil where it leads nowhere.
  static func resolved(_ path: BytePath) -> BytePath? {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return BytePath(UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) })
  }

  /// The first bytes of a file, at most `count`; all of them without it.
  static func read(_ path: BytePath, count: Int = .max) throws(AtlasError) -> [UInt8] {
    guard let file = path.withCString({ fopen($0, "rbe") }) else {
      throw AtlasError(path, .unreadable(errno: errno))
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(count, 1 << 16))
    while bytes.count < count {
      let read = fread(&block, 1, min(block.count, count - bytes.count), file)
      bytes += block[..<read]
      if read == 0 { break }
    }
    guard ferror(file) == 0 else { throw AtlasError(path, .unreadable(errno: errno)) }
    return bytes
  }
}

extension BytePath {
  /// The folder that it is in; slashes at its end don't count.
  var parent: BytePath {
    let end = (bytes.lastIndex { $0 != UInt8(ascii: "/") } ?? bytes.count - 1) + 1
    let folder = bytes[..<(end - lastComponent.count)]
    return folder.isEmpty ? "." : BytePath(Array(folder))
  }
}
