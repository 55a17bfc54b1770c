import Foundation
import Imaging

/// The names in one folder.
enum FolderListing {
  /// - Returns: the names, sorted by their bytes, without `.` and `..`.
  /// - Throws: the system's error number.
  static func names(in folder: BytePath) throws(SystemError) -> [[UInt8]] {
    guard let directory = folder.withCString({ opendir($0) }) else { throw SystemError(number: errno) }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = [UInt8](UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    guard errno == 0 else { throw SystemError(number: errno) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// An error number of the system.
struct SystemError: Error {
  let number: Int32
}
