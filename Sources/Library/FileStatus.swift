import Foundation
import Imaging

/// What the file system says of a path.
struct FileStatus {
  enum Kind {
    case file, folder, link, special
  }

  /// A file or folder itself, whatever path leads to it.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  let kind: Kind
  let identity: Identity
  let size: Int64
  let modifiedNanoseconds: Int64

  /// - Parameter followingLink: whether a symbolic link's target is meant.
  /// - Throws: the system's error number.
  init(of path: BytePath, followingLink: Bool) throws(SystemError) {
    var status = stat()
    let result = path.withCString { fstatat(AT_FDCWD, $0, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW) }
    guard result == 0 else { throw SystemError(number: errno) }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .special
      }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int64(status.st_size)
    // A broken clock may have written a time that nanoseconds in 64 bits can't hold.
    let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modifiedNanoseconds = overflow ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
  }
}
