import Foundation

/// A thread that tells whether it could be started: Foundation's doesn't, and whoever waits for its work waits for ever.
public enum WorkerThread {
  /// Runs `body` on a thread of its own.
  /// - Returns: false, with `body` never run, where the system has no memory or no threads left.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Foundation's size: codecs use much of it.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let failure = pthread_create(
      &thread, &attributes,
      { pointer in
        Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      work.release()
      return false
    }
    return true
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
