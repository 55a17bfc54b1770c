import Compute
import Synchronization

/// The devices of a run, and what takes their place when one fails.
///
/// Each chosen device has a slot. A device that fails gets a new context once; then another device takes its slot, if
/// there is one that may, else the slot is closed. Where all are closed, plain Swift computes, or the run ends because a
/// person asked for a device.
final class DeviceStack: Sendable {
  /// What to do after a failure.
  enum Recovery: Equatable {
    /// The same with less memory.
    case smaller
    /// The same in a new context of the device, with less memory where that may help.
    case newContext(isSmaller: Bool)
    /// Another device has the slot.
    case next
    /// The slot is closed.
    case closed
  }

  private struct Slot {
    var description: DeviceDescription
    var device: Device?
    var hadNewContext = false
    var isClosed = false
    var tested: Set<ComputeArea> = []
  }

  private struct State {
    var slots: [Slot]
    var substitutes: [DeviceDescription]
    /// Why the last slot was closed.
    var failure: ComputeError?
  }

  private let runtime: OpenCLRuntime
  private let isRequired: Bool
  private let injector: FaultInjector?
  private let state: Mutex<State>
  /// How many devices compute at the same time.
  let slotCount: Int

  /// - Parameters:
  ///   - isRequired: whether plain Swift may not take over.
  ///   - injector: makes the devices fail, in tests.
  init(
    _ runtime: OpenCLRuntime, chosen: [DeviceDescription], substitutes: [DeviceDescription], isRequired: Bool,
    injector: FaultInjector?
  ) {
    self.runtime = runtime
    self.isRequired = isRequired
    self.injector = injector
    slotCount = chosen.count
    state = Mutex(State(slots: chosen.map { Slot(description: $0) }, substitutes: substitutes))
  }

  /// The first slot that isn't closed; nil where all are.
  var firstSlot: Int? { state.withLock { $0.slots.firstIndex { !$0.isClosed } } }

  /// Whether plain Swift may compute, once all slots are closed.
  /// - Throws: `EngineError` where a device is required.
  func checkPlainSwift() throws(EngineError) {
    if isRequired, let failure = state.withLock(\.failure) { throw Self.requiredFailed(failure) }
  }

  private static func requiredFailed(_ error: ComputeError) -> EngineError {
    EngineError(.device, "the device asked for can't be used: \(error); --device auto goes on without it")
  }

  /// The names of the devices in use, in the order of their slots.
  var names: [String] { state.withLock { $0.slots.filter { !$0.isClosed }.map(\.description.name) } }

  /// The device of a slot, opened and tested; nil where the slot is closed.
  /// - Parameters:
  ///   - area: what it is to compute; nil to open it only.
  ///   - note: told why a device is passed over.
  /// - Throws: `EngineError` where no device is left and one is required.
  func device(_ number: Int, for area: ComputeArea?, note: (String) -> Void) throws(EngineError) -> Device? {
    // One at a time: drivers aren't at their best when several threads use them for the first time.
    let outcome = state.withLock { state in
      Result { () throws(EngineError) in try device(number, for: area, note: note, in: &state) }
    }
    return try outcome.get()
  }

  private func device(
    _ number: Int, for area: ComputeArea?, note: (String) -> Void, in state: inout State
  ) throws(EngineError) -> Device? {
    while !state.slots[number].isClosed {
      let description = state.slots[number].description
      do throws(ComputeError) {
        if let area, !state.slots[number].tested.contains(area) {
          try area.selfTests(on: description).check(description, of: runtime, injector: injector)
          state.slots[number].tested.insert(area)
        }
        if let device = state.slots[number].device { return device }
        let device = try runtime.makeDevice(description, injector: injector)
        state.slots[number].device = device
        return device
      } catch {
        let isTriedAgain =
          try recover(number, from: error, canShrink: false, in: &state) == .newContext(isSmaller: false)
        note("\(description.name) \(isTriedAgain ? "is tried once more" : "is passed over"): \(error)")
      }
    }
    return nil
  }

  /// Decides what to do after a device has failed.
  /// - Parameters:
  ///   - number: its slot.
  ///   - canShrink: whether there is a way with less memory.
  /// - Throws: `EngineError` where no device is left and one is required.
  func recover(_ number: Int, from error: ComputeError, canShrink: Bool) throws(EngineError) -> Recovery {
    let outcome = state.withLock { state in
      Result { () throws(EngineError) in try recover(number, from: error, canShrink: canShrink, in: &state) }
    }
    return try outcome.get()
  }

  private func recover(
    _ number: Int, from error: ComputeError, canShrink: Bool, in state: inout State
  ) throws(EngineError) -> Recovery {
    if error.isOutOfMemory, canShrink { return .smaller }
    var isTooSlow = false
    if case .tooSlow = error { isTooSlow = true }
    if case .wrongResult = error { return try replace(number, after: error, in: &state) }
    if !state.slots[number].hadNewContext {
      state.slots[number].hadNewContext = true
      state.slots[number].device = nil
      return .newContext(isSmaller: isTooSlow && canShrink)
    }
    return try replace(number, after: error, in: &state)
  }

  private func replace(_ number: Int, after error: ComputeError, in state: inout State) throws(EngineError) -> Recovery
  {
    state.slots[number].device = nil
    if !state.substitutes.isEmpty {
      state.slots[number] = Slot(description: state.substitutes.removeFirst())
      return .next
    }
    state.slots[number].isClosed = true
    state.failure = error
    if isRequired, state.slots.allSatisfy(\.isClosed) { throw Self.requiredFailed(error) }
    return .closed
  }
}
