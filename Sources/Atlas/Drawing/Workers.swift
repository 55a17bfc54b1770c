import Foundation
import Imaging
import Synchronization

/// Does a number of things on several threads, each of which keeps something of its own.
enum Workers {
  /// Calls `work` with 0, 1, ... `count - 1`, begun in this order. The first error ends it all.
  ///
  /// - Parameters:
  ///   - threads: how many work at the same time.
  ///   - isCancelled: asked before each piece, from several threads.
  ///   - makeState: makes what a thread keeps from piece to piece, on that thread.
  ///   - finished: told on the calling thread how many pieces are done, often.
  /// - Throws: what `work` threw first, or that it was cancelled.
  static func run<State>(
    count: Int, threads: Int, isCancelled: @escaping @Sendable () -> Bool,
    makeState: @escaping @Sendable () throws(AtlasError) -> State,
    work: @escaping @Sendable (Int, State) throws(AtlasError) -> Void,
    finished: (Int) -> Void
  ) throws(AtlasError) {
    let shared = SharedProgress(count: count, isCancelled: isCancelled)
    var running = 0
    while running < min(threads, count),
      WorkerThread.start({
        shared.work(makeState: makeState, work: work)
        shared.hasEnded.signal()
      })
    {
      running += 1
    }
    // Without a single thread there is still this one.
    if running == 0 { shared.work(makeState: makeState, work: work) }
    while running > 0 {
      if shared.hasEnded.wait(timeout: .now() + .milliseconds(50)) == .success { running -= 1 }
      finished(shared.done.load(ordering: .relaxed))
    }
    if let error = shared.failure.withLock({ $0 }) { throw error }
  }

  /// What the threads share.
  private final class SharedProgress: Sendable {
    let count: Int
    let isCancelled: @Sendable () -> Bool
    let next = Atomic<Int>(0)
    let done = Atomic<Int>(0)
    let failure = Mutex<AtlasError?>(nil)
    /// Signalled once by each thread.
    let hasEnded = DispatchSemaphore(value: 0)

    init(count: Int, isCancelled: @escaping @Sendable () -> Bool) {
      self.count = count
      self.isCancelled = isCancelled
    }

    func work<State>(
      makeState: () throws(AtlasError) -> State, work: (Int, State) throws(AtlasError) -> Void
    ) {
      do throws(AtlasError) {
        let state = try makeState()
        while failure.withLock({ $0 == nil }) {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < count else { return }
          guard !isCancelled() else { throw .cancelled }
          try work(index, state)
          done.add(1, ordering: .relaxed)
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
  }
}
