import Foundation
import Imaging

/// Recognises the folders that this program writes, so that a map among the photos isn't taken for photos.
enum OwnOutput {
  /// Whether a folder with these names is a map: it has a page, and a description that names this program near its
  /// start.
  static func isMap(_ folder: BytePath, names: FolderListing) -> Bool {
    guard names.contains("index.html"), names.contains("map.json") else { return false }
    let head = String(decoding: FileHead.read(folder.appending("map.json"), count: 512), as: UTF8.self)
    return head.contains("\"program\"") && head.contains("kiano-gpu")
  }
}

/// The first bytes of a file.
enum FileHead {
  /// - Returns: at most `count` bytes; none when there is no such regular file, or it can't be read.
  static func read(_ path: BytePath, count: Int) -> [UInt8] {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress!, count, 0))
    }
  }
}
