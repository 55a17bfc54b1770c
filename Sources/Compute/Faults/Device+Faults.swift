import Synchronization

extension Device {
  /// Every call of the driver begins here: a lost context answers none, and injected faults happen.
  /// - Parameters:
  ///   - kind: the fault that would fail it as the driver would.
  ///   - function: what is called.
  func begin(_ kind: FaultPlan.Kind, _ function: @autoclosure () -> String) throws(ComputeError) {
    if state.isLost.load(ordering: .relaxed) { throw .lost(device: description.name) }
    guard let injector else { return }
    // In a self-test only what makes its outcome.
    let kinds: Set<FaultPlan.Kind> = isForSelfTest ? [] : kind == .enqueue ? [kind, .lost, .slow] : [kind, .lost]
    let faults = injector.faults(kinds, on: description.id)
    if faults.contains(.lost) {
      state.isLost.store(true, ordering: .relaxed)
      throw .lost(device: description.name)
    }
    if faults.contains(kind) { throw kind.error(function(), device: description.name) }
    if faults.contains(.slow) { state.nextWaitIsTooLong.store(true, ordering: .relaxed) }
  }
}

extension FaultPlan.Kind {
  /// What a driver says.
  fileprivate func error(_ function: String, device: String) -> ComputeError {
    let code: Int32 =
      switch self {
      case .allocation, .enqueue: -4  // CL_MEM_OBJECT_ALLOCATION_FAILURE
      case .finish: -5  // CL_OUT_OF_RESOURCES
      case .context: -2  // CL_DEVICE_NOT_AVAILABLE
      case .build: -11  // CL_BUILD_PROGRAM_FAILURE
      default: -14  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
      }
    if self == .build { return .build(program: function, device: device, log: "an injected fault") }
    return .call(function: function, code: code, device: device)
  }
}
