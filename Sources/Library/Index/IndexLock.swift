import Foundation
import Imaging

/// The right to write to an index: one process has it at a time.
///
/// It is a file beside the index, `NAME-lock`, which the process holds with `flock`, so that the system takes it back
/// however the process ends, and in which it says who it is. Where a file system has no such locks, what the file says
/// decides.
final class IndexLock {
  private let path: BytePath
  private let descriptor: Int32
  /// What a run that ended without giving the lock back has left in it; nil where the last one did.
  let staleHolder: String?

  /// - Parameter index: the index; the folder that it is in must be there.
  /// - Throws: who has the lock.
  init(of index: BytePath) throws(IndexError) {
    let path = Self.path(of: index)
    self.path = path
    while true {
      let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644) }
      guard descriptor >= 0 else { throw Self.inaccessible(index, errno) }
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let failure = errno
      let holder = Self.holder(descriptor)
      if !isLocked {
        if failure == EINTR { close(descriptor); continue }
        let hasLocks = failure == EWOULDBLOCK
        if hasLocks || holder?.mayBeAlive == true {
          close(descriptor)
          throw IndexError(path: index, reason: .locked(holder?.description ?? "another run"))
        }
      }
      // Whoever had the lock may have removed the file meanwhile: then this is one that nobody else will find.
      guard Self.isSame(descriptor, path) else { close(descriptor); continue }
      self.descriptor = descriptor
      staleHolder = holder?.description
      do throws(IndexError) {
        try Self.write(Holder.current, to: descriptor, of: index)
      } catch {
        close(descriptor)
        throw error
      }
      return
    }
  }

  static func path(of index: BytePath) -> BytePath { BytePath(index.bytes + Array("-lock".utf8)) }

  deinit {
    if Self.isSame(descriptor, path) { _ = path.withCString { unlink($0) } }
    close(descriptor)
  }

  // MARK: - Who has it

  /// A process that has or had the lock.
  private struct Holder {
    let process: Int32
    let host: String
    let since: String

    static var current: Holder {
      Holder(process: getpid(), host: hostName, since: Date().ISO8601Format())
    }

    private static var hostName: String {
      var name = [CChar](repeating: 0, count: 256)
      gethostname(&name, name.count - 1)
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var description: String { "process \(process) on \(host) since \(since)" }

    /// One on another host may be.
    var mayBeAlive: Bool { host != Self.hostName || kill(process, 0) == 0 || errno != ESRCH }
  }

  private static func holder(_ descriptor: Int32) -> Holder? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let fields = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
    guard fields.count == 3, let process = Int32(fields[0]), process > 0 else { return nil }
    return Holder(process: process, host: String(fields[1]), since: String(fields[2]))
  }

  private static func write(_ holder: Holder, to descriptor: Int32, of index: BytePath) throws(IndexError) {
    let text = Array("\(holder.process)\n\(holder.host)\n\(holder.since)\n".utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
      throw inaccessible(index, errno)
    }
  }

  private static func isSame(_ descriptor: Int32, _ path: BytePath) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && path.withCString { lstat($0, &named) } == 0 && open.st_dev == named.st_dev
      && open.st_ino == named.st_ino
  }

  private static func inaccessible(_ index: BytePath, _ number: Int32) -> IndexError {
    let lock = path(of: index).displayName
    return IndexError(
      path: index,
      reason: number == ENOSPC
        ? .diskFull : .inaccessible("its lock, \(lock), can't be written: \(SystemMessage.text(number))"))
  }
}
