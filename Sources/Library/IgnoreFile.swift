import Foundation
import Imaging

/// The patterns of a file: `.kianoignore`, or what `--exclude-from` names.
public enum IgnoreFile {
  /// The name by which a folder's own patterns are found.
  public static let name = ".kianoignore"

  /// Larger files are refused, in bytes.
  static let maximumBytes = 1 << 20

  /// The patterns of a file's content, one a line.
  public static func patterns(in content: some Collection<UInt8>) -> [IgnorePattern] {
    content.split(separator: UInt8(ascii: "\n")).compactMap { IgnorePattern(line: $0) }
  }

  /// The patterns of a file.
  ///
  /// - Throws: `ScanError.unreadableList`.
  public static func read(_ path: BytePath) throws(ScanError) -> [IgnorePattern] {
    do {
      return try patterns(at: path)
    } catch {
      throw .unreadableList(path, errno: error.number)
    }
  }

  static func patterns(at path: BytePath) throws(SystemError) -> [IgnorePattern] {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw SystemError(number: EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else { throw SystemError(number: EFBIG) }
    var content = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = content.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw SystemError(number: errno) }
    return patterns(in: content.prefix(count))
  }
}
