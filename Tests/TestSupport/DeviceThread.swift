import Foundation
import Testing

/// Runs the tests of a suite on one thread, the same for all suites that have this trait.
///
/// oclgrind's check for uninitialised reads keeps its memory by thread and crashes when the queue is used from another,
/// and Swift Testing, like the main actor on Linux, moves from thread to thread.
public struct DeviceThreadTrait: SuiteTrait, TestTrait, TestScoping {
  /// Each test function of the suite gets the scope.
  public var isRecursive: Bool { true }

  /// Runs the test with the device thread as its preferred executor.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(DeviceThread.shared) { try await function() }
  }
}

extension Trait where Self == DeviceThreadTrait {
  /// Runs the tests on the one thread that uses the OpenCL device.
  public static var deviceThread: Self { Self() }
}

/// One thread that takes jobs in order.
private final class DeviceThread: TaskExecutor, @unchecked Sendable {
  // Unchecked: `jobs` is behind `condition`.
  static let shared = DeviceThread()

  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init() {
    let thread = Thread { [unowned self] in
      while true {
        condition.lock()
        while jobs.isEmpty { condition.wait() }
        let job = jobs.removeFirst()
        condition.unlock()
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    condition.lock()
    jobs.append(UnownedJob(job))
    condition.signal()
    condition.unlock()
  }
}
