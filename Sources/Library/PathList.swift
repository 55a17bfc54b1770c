import Foundation
import Imaging

/// Reads paths from a file or standard input, one after the other, however many there are.
public final class PathList {
  /// What stands between two paths.
  public enum Separator: UInt8, Sendable {
    /// The end of a line; a name that holds one can't be listed so.
    case newline = 0x0A
    /// A zero byte, as `find -print0` writes.
    case zero = 0
  }

  /// No path is longer on any system that we run on.
  private static let maximumPathBytes = 1 << 16

  private let source: BytePath
  private let folder: BytePath?
  private let descriptor: Int32
  private let separator: Separator
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - source: a file; `-` is standard input.
  ///   - separator: what stands between two paths.
  ///   - folder: what relative paths in the list are relative to; nil leaves them as they are.
  /// - Throws: when it can't be opened.
  public convenience init(_ source: BytePath, separator: Separator, folder: BytePath? = nil) throws(ScanError) {
    let descriptor = source == "-" ? STDIN_FILENO : source.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .unreadableList(source, errno: errno) }
    self.init(descriptor: descriptor, called: source, separator: separator, folder: folder)
  }

  /// Takes the descriptor over.
  init(descriptor: Int32, called source: BytePath, separator: Separator, folder: BytePath? = nil) {
    self.descriptor = descriptor
    self.source = source
    self.separator = separator
    self.folder = folder
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The next path; empty ones are passed over. Nil at the end.
  ///
  /// - Throws: when the list can't be read on, or isn't one: a path of more than 64 KiB.
  public func next() throws(ScanError) -> BytePath? {
    while true {
      let rest = buffer[position...]
      if let end = rest.firstIndex(of: separator.rawValue) {
        position = end + 1
        if end > rest.startIndex { return path(rest[..<end]) }
      } else if isAtEnd {
        position = buffer.count
        return rest.isEmpty ? nil : path(rest)
      } else {
        guard rest.count <= Self.maximumPathBytes else { throw .unreadableList(source, errno: ENAMETOOLONG) }
        try fill()
      }
    }
  }

  private func path(_ bytes: ArraySlice<UInt8>) -> BytePath {
    guard let folder, bytes.first != UInt8(ascii: "/") else { return BytePath(bytes) }
    return folder.appending(bytes)
  }

  /// Puts more bytes behind those that are left.
  private func fill() throws(ScanError) {
    buffer.removeFirst(position)
    position = 0
    let step = 1 << 16
    let kept = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: step))
    var count = 0
    repeat {
      count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + kept, step) }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw .unreadableList(source, errno: errno) }
    buffer.removeLast(step - count)
    isAtEnd = count == 0
  }
}
