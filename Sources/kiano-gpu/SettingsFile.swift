import Arguments
import Foundation
import Imaging

/// Where settings come from: `~/.config/kiano-gpu/config`, and variables that begin with `KIANO_`.
enum SettingsFile {
  /// Reads both.
  /// - Throws: `UsageError` where either can't be understood.
  static func load() throws(UsageError) -> Settings {
    let tree = CommandTree(KianoGPU.self)
    var settings = Settings()
    if let path {
      if let contents = try read(path) {
        try settings.add(
          file: path.displayName, contents: contents, home: variable("HOME"))
      }
    }
    let strange = settings.add(
      environment: environment, prefix: Program.environmentPrefix, known: tree.settings.map(\.name))
    strange.forEach(Console.complain)
    try tree.check(settings)
    return settings
  }

  /// The file, which need not be there; nil where no variable says where it would be.
  static var path: BytePath? {
    // By the base directory specification a relative folder counts as none.
    if let folder = variable("XDG_CONFIG_HOME"), folder.first == UInt8(ascii: "/") {
      return BytePath(folder).appending("kiano-gpu/config")
    }
    return variable("HOME").map { BytePath($0).appending(".config/kiano-gpu/config") }
  }

  private static func read(_ path: BytePath) throws(UsageError) -> [UInt8]? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 {
      // A home that isn't there, or that isn't ours to look into, has no settings.
      if [ENOENT, ENOTDIR].contains(errno) || (errno == EACCES && !exists(path)) { return nil }
      throw UsageError("\(path.displayName) can't be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 20 {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count < 0 { throw UsageError("\(path.displayName) can't be read: \(String(cString: strerror(errno)))") }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
    throw UsageError("\(path.displayName) is longer than a megabyte: it can't be a file of settings")
  }

  private static func exists(_ path: BytePath) -> Bool { path.withCString { access($0, F_OK) } == 0 }

  private static func variable(_ name: String) -> [UInt8]? {
    guard let value = getenv(name) else { return nil }
    let bytes = UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? nil : bytes
  }

  private static var environment: [(name: String, value: [UInt8])] {
    var entries: [(name: String, value: [UInt8])] = []
    var entry = environ
    while let line = entry.pointee {
      let bytes = UnsafeBufferPointer(start: line, count: strlen(line)).map(UInt8.init(bitPattern:))
      if let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
        entries.append((String(decoding: bytes[..<sign], as: UTF8.self), Array(bytes[(sign + 1)...])))
      }
      entry += 1
    }
    return entries
  }
}
