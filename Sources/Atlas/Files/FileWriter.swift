import Foundation
import Imaging

/// Writes a file from front to back.
///
/// The file is complete only after `finish`.
final class FileWriter {
  private let path: BytePath
  private var file: UnsafeMutablePointer<FILE>?

  /// Creates the file, or empties it.
  init(_ path: BytePath) throws(AtlasError) {
    guard let file = path.withCString({ fopen($0, "wbe") }) else {
      throw AtlasError(path, .unwritable(errno: errno))
    }
    self.path = path
    self.file = file
  }

  deinit {
    if let file { fclose(file) }
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(AtlasError) {
    guard bytes.count > 0 else { return }
    guard fwrite(bytes.baseAddress!, 1, bytes.count, file!) == bytes.count else {
      throw AtlasError(path, .unwritable(errno: errno))
    }
  }

  func write(_ bytes: [UInt8]) throws(AtlasError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(AtlasError) in try write(bytes) }
  }

  func write(_ text: String) throws(AtlasError) {
    try write(Array(text.utf8))
  }

  /// Writes what is left and closes the file: a full disk may show only now.
  func finish() throws(AtlasError) {
    defer { file = nil }
    guard fclose(file!) == 0 else { throw AtlasError(path, .unwritable(errno: errno)) }
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: BytePath) throws(AtlasError) {
    let writer = try FileWriter(path)
    try writer.write(bytes)
    try writer.finish()
  }
}
