import Synchronization

/// Lets pictures that take much memory to decode through one at a time, so that a folder of them costs no more than one
/// does, whatever the number of threads.
final class LargePictureGate: Sendable {
  /// What a picture may take beside others, in bytes.
  private static let freeBytes = 64 << 20

  private let lock = Mutex<Void>(())

  /// Runs `body`, alone among its kind when it needs much memory.
  func pass<Result, Failure: Error>(
    bytes: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if bytes <= Self.freeBytes { return try body() }
    return try lock.withLock { _ throws(Failure) in try body() }
  }
}
