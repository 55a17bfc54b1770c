import Foundation
import Imaging
import Synchronization

/// The thumbnails of a run, one JPEG file after the other in a file that no longer has a name: memory holds only where
/// each lies, and nothing is left behind however the program ends.
final class ThumbnailSpool: Sendable {
  private let descriptor: Int32
  private let folder: String
  private let ends = Mutex<[Int]>([])

  /// - Throws: `EngineError` where the folder for temporary files can't be written to.
  init() throws(EngineError) {
    folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(folder)/kiano-gpu-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.failure(folder, errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit {
    close(descriptor)
  }

  /// Adds the next picture's thumbnail.
  func append(_ jpeg: [UInt8]) throws(EngineError) {
    let start = ends.withLock { $0.last ?? 0 }
    var written = 0
    while written < jpeg.count {
      let count = jpeg.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + written, $0.count - written, off_t(start + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(folder, errno) }
      written += count
    }
    ends.withLock { $0.append(start + jpeg.count) }
  }

  /// The thumbnail of picture number `index`; may be called from several threads.
  func thumbnail(_ index: Int) throws(EngineError) -> [UInt8] {
    let range = ends.withLock { (index == 0 ? 0 : $0[index - 1])..<$0[index] }
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let count = pread(
          descriptor, buffer.baseAddress! + filled, range.count - filled, off_t(range.lowerBound + filled))
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
          failure = count < 0 ? errno : EIO
          return
        }
        filled += count
      }
    }
    if let failure { throw Self.failure(folder, failure) }
    return bytes
  }

  private static func failure(_ folder: String, _ code: Int32) -> EngineError {
    EngineError(
      .failed,
      "the folder for temporary files, \(folder), can't be used: \(systemMessage(code)); "
        + "make room there, or set TMPDIR to another folder")
  }
}
