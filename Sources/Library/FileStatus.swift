import Foundation
import Imaging

/// What the file system says of a path.
struct FileStatus {
  enum Kind {
    case file, folder, link, special
  }

  /// A file or folder itself, whatever path leads to it and whatever is in it.
  struct Node: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  let kind: Kind
  let identity: FileIdentity

  var node: Node { Node(device: identity.device, inode: identity.inode) }

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
    identity = FileIdentity(status)
  }
}
