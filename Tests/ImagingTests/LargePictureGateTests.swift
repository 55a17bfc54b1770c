import Foundation
import Synchronization
import Testing

@testable import Imaging

@Suite("The gate for large pictures")
struct LargePictureGateTests {
  @Test("keeps within its budget, lets each through, and one that is too large alone")
  func budget() {
    let gate = ProcessGate(budget: 100)
    let used = Atomic<Int>(0)
    let largest = Atomic<Int>(0)
    let passed = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      let bytes = index % 20 == 0 ? 150 : 10 + index % 40
      gate.enter(bytes: bytes)
      let now = used.add(bytes, ordering: .sequentiallyConsistent).newValue
      #expect(now <= 100 || now == 150)
      _ = largest.max(now, ordering: .relaxed)
      usleep(200)
      used.subtract(bytes, ordering: .sequentiallyConsistent)
      gate.leave(bytes: bytes)
      passed.add(1, ordering: .relaxed)
    }
    #expect(passed.load(ordering: .relaxed) == 200)
    #expect(largest.load(ordering: .relaxed) == 150)
  }

  @Test("claims are raised without holding on to what was claimed")
  func claims() throws {
    let gate = ProcessGate(budget: 300 << 20)
    // Each alone could wait for ever for what the other holds.
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      var claim = GateClaim(gate)
      try! claim.raise(to: 1 << 20)
      try! claim.raise(to: 160 << 20)
      try! claim.raise(to: 290 << 20)
      claim.release()
    }
    var claim = GateClaim(gate)
    try claim.raise(to: 300 << 20)
    claim.release()
  }
}
