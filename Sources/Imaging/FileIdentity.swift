import Foundation

/// Which file a path led to, and in which state it was: whatever replaces or rewrites the file changes one of these,
/// unless it sets the time back.
///
/// Taken from an open file it is of the bytes that were read, and not of what has the same path meanwhile.
public struct FileIdentity: Sendable, Hashable {
  /// The file system that it is on.
  public let device: UInt64
  /// Its number there.
  public let inode: UInt64
  /// In bytes.
  public let size: Int64
  /// When its content last changed, in nanoseconds since 1970.
  public let modifiedNanoseconds: Int64

  /// An identity made of its parts, such as those that an index keeps.
  public init(device: UInt64, inode: UInt64, size: Int64, modifiedNanoseconds: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
  }

  /// The identity that the system's description of a file holds.
  public init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    // A broken clock may have written a time that nanoseconds in 64 bits can't hold.
    let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modifiedNanoseconds = overflow ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
  }
}
