import COpenCL
import Dispatch
import Synchronization

extension Device {
  /// More than any launch of ours takes, on slow processors too.
  public static let standardTimeLimit = 300.0

  /// Waits until the device has done all that was enqueued.
  /// - Throws: `ComputeError.tooSlow` where that takes longer than the device's limit; the context is of no use then.
  public func finish() throws(ComputeError) {
    try begin(.finish, "clFinish")
    try wait()
  }

  /// The same where nothing is to be called but what follows.
  func wait() throws(ComputeError) {
    if state.nextWaitIsTooLong.exchange(false, ordering: .relaxed) { throw giveUp() }
    guard let number = state.pending else { return }
    // OpenCL has no wait with a limit: the driver is asked to call when it is there.
    var event: cl_event?
    try check(functions.EnqueueMarkerWithWaitList(queue, 0, nil, &event), "clEnqueueMarkerWithWaitList")
    guard let event else { return }
    defer { _ = functions.ReleaseEvent(event) }
    let arrival = Arrival()
    let unmanaged = Unmanaged.passRetained(arrival)
    let status = functions.SetEventCallback(
      event, CL_COMPLETE,
      { _, status, pointer in
        let arrival = Unmanaged<Arrival>.fromOpaque(pointer!).takeRetainedValue()
        arrival.status.store(status, ordering: .relaxed)
        arrival.semaphore.signal()
      }, unmanaged.toOpaque())
    if status != CL_SUCCESS {
      unmanaged.release()
      try check(status, "clSetEventCallback")
    }
    try check(functions.Flush(queue), "clFlush")
    if arrival.semaphore.wait(timeout: .now() + timeLimit) == .timedOut { throw giveUp() }
    try check(min(arrival.status.load(ordering: .relaxed), CL_SUCCESS), "clFinish")
    state.finished(number)
  }

  private func giveUp() -> ComputeError {
    state.isStuck.store(true, ordering: .relaxed)
    state.isLost.store(true, ordering: .relaxed)
    return .tooSlow(device: description.name, seconds: timeLimit)
  }
}

/// What the driver's call and the waiting thread share.
private final class Arrival: Sendable {
  let semaphore = DispatchSemaphore(value: 0)
  let status = Atomic<Int32>(0)
}

/// What changes about an opened device.
final class DeviceState: Sendable {
  /// Whether the context answers no more.
  let isLost = Atomic<Bool>(false)
  /// Whether a kernel doesn't end.
  let isStuck = Atomic<Bool>(false)
  /// Whether a fault makes the next wait the one that takes too long.
  let nextWaitIsTooLong = Atomic<Bool>(false)
  /// Whether a fault makes what is read wrong.
  let isWrong = Atomic<Bool>(false)
  /// Launches so far, and those that are known to be done.
  private let launches = Mutex((enqueued: 0, finished: 0))

  func enqueued() { launches.withLock { $0.enqueued += 1 } }

  /// The number of the last launch; nil where all are done.
  var pending: Int? { launches.withLock { $0.enqueued > $0.finished ? $0.enqueued : nil } }

  func finished(_ number: Int) { launches.withLock { $0.finished = max($0.finished, number) } }
}
