import Dispatch
import Synchronization

/// Keeps the memory of pictures that take much of it to decode within a budget, whatever the number of threads: a
/// folder of huge ones costs no more than one does, and phone photos, of which each takes some, still go side by side.
protocol LargePictureGate: Sendable {
  /// Waits until there is room.
  func enter(bytes: Int) throws(ImagingError.Reason)
  /// Gives the room back.
  func leave(bytes: Int)
}

/// The gate of the threads of one process. Who comes first goes first, so that large pictures aren't held up for ever
/// by smaller ones; one that is larger than the budget goes alone.
final class ProcessGate: LargePictureGate {
  private struct State {
    var used = 0
    var waiting: [(bytes: Int, isFree: DispatchSemaphore)] = []
  }

  private let budget: Int
  private let state = Mutex(State())

  /// - Parameter budget: in bytes.
  init(budget: Int) {
    self.budget = budget
  }

  func enter(bytes: Int) {
    let isFree = state.withLock { state -> DispatchSemaphore? in
      if state.waiting.isEmpty, fits(bytes, state) {
        state.used += bytes
        return nil
      }
      let isFree = DispatchSemaphore(value: 0)
      state.waiting.append((bytes, isFree))
      return isFree
    }
    isFree?.wait()
  }

  func leave(bytes: Int) {
    state.withLock { state in
      state.used -= bytes
      while let next = state.waiting.first, fits(next.bytes, state) {
        state.used += next.bytes
        state.waiting.removeFirst().isFree.signal()
      }
    }
  }

  private func fits(_ bytes: Int, _ state: State) -> Bool {
    state.used == 0 || bytes <= budget - state.used
  }
}

/// What one picture has claimed at a gate.
struct GateClaim {
  /// What a picture may take without asking, in bytes.
  private static let freeBytes = 32 << 20

  let gate: any LargePictureGate
  private var bytes = 0

  init(_ gate: any LargePictureGate) {
    self.gate = gate
  }

  /// Claims so much in all. What was claimed before is given back first: two pictures that each hold something and wait
  /// for more would wait for ever.
  mutating func raise(to total: Int) throws(ImagingError.Reason) {
    guard total > max(bytes, Self.freeBytes) else { return }
    release()
    try gate.enter(bytes: total)
    bytes = total
  }

  /// Gives back what was claimed.
  mutating func release() {
    if bytes > 0 { gate.leave(bytes: bytes) }
    bytes = 0
  }
}
