import Dispatch

/// Lets pictures that take much memory to decode through one at a time, so that a folder of them costs no more than one
/// does, whatever the number of threads.
protocol LargePictureGate: Sendable {
  /// Waits until no other large picture is being decoded.
  func enter() throws(ImagingError.Reason)
  /// Lets the next one in.
  func leave()
}

extension LargePictureGate {
  /// What a picture may take beside others, in bytes.
  static var freeBytes: Int { 64 << 20 }

  /// Runs `body`, alone among its kind when it needs much memory.
  func pass<Result>(
    bytes: Int, _ body: () throws(ImagingError.Reason) -> Result
  ) throws(ImagingError.Reason) -> Result {
    if bytes <= Self.freeBytes { return try body() }
    try enter()
    defer { leave() }
    return try body()
  }
}

/// The gate of the threads of one process.
final class ProcessGate: LargePictureGate {
  private let semaphore = DispatchSemaphore(value: 1)

  func enter() {
    semaphore.wait()
  }

  func leave() {
    semaphore.signal()
  }
}
