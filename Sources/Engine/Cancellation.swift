import Synchronization

/// A wish that a job should end, which may be uttered on any thread, signal handlers' included.
public final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Nothing wished yet.
  public init() {}

  /// Whether the job should end.
  public var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Wishes that the job should end; it does at the next picture or step.
  public func request() { flag.store(true, ordering: .relaxed) }
}
