import CXXHash
import Foundation

/// What tells one content from another: the 128-bit XXH3 hash of all its bytes. It is made for speed, some gigabytes a
/// second, not against people who construct collisions; all that they would gain is a wrong thumbnail of their own file.
public struct ContentHash: Hashable, Sendable {
  /// The upper half.
  public let high: UInt64
  /// The lower half, which is a good hash of 64 bits by itself.
  public let low: UInt64

  /// A hash that was taken earlier.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The hash of these bytes.
  public init(of bytes: UnsafeRawBufferPointer) {
    let hash = XXH3_128bits(bytes.baseAddress, bytes.count)
    (high, low) = (hash.high64, hash.low64)
  }

  /// The hash of a file, read from its beginning to its end.
  /// - Returns: also the file as it was; nil where it can't be read, is no regular file, or changes meanwhile.
  public static func ofFile(_ path: BytePath) -> (hash: ContentHash, identity: FileIdentity)? {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let before = identity(of: descriptor), let state = XXH3_createState() else { return nil }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    let isRead = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 64) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0 { return true }
        if count > 0 {
          XXH3_128bits_update(state, buffer.baseAddress, count)
        } else if errno != EINTR {
          return false
        }
      }
    }
    guard isRead, identity(of: descriptor) == before else { return nil }
    let hash = XXH3_128bits_digest(state)
    return (ContentHash(high: hash.high64, low: hash.low64), before)
  }

  private static func identity(of descriptor: Int32) -> FileIdentity? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileIdentity(status)
  }
}
