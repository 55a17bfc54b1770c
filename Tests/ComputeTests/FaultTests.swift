import Foundation
import TestSupport
import Testing

@testable import Compute

struct FaultPlanTests {
  @Test func wordsAreUnderstood() {
    let plan = FaultPlan(parsing: "allocation:2,enqueue:7+,lost:3+@cpu/0")
    #expect(
      plan?.faults == [
        .init(.allocation, 2), .init(.enqueue, 7, isLasting: true), .init(.lost, 3, isLasting: true, device: "cpu/0"),
      ])
    #expect(FaultPlan(parsing: "")?.faults.isEmpty == true)
    for text in ["allocation", "allocation:", "allocation:0", "allocation:-1", "nothing:1", "enqueue:1:2", "slow:x"] {
      #expect(FaultPlan(parsing: text) == nil, "\(text)")
    }
  }

  @Test func callsAreCountedForEachFault() {
    let injector = FaultInjector(FaultPlan(parsing: "enqueue:2,lost:3+@b")!)
    func faults(_ device: String) -> Set<FaultPlan.Kind> { injector.faults([.enqueue, .lost], on: device) }
    #expect(faults("a") == [] && faults("b") == [.enqueue] && faults("b") == [] && faults("a") == [])
    #expect(faults("b") == [.lost] && faults("a") == [] && faults("b") == [.lost])
  }
}

@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct FaultKernelTests {
  private let source = KernelSource(
    name: "loop",
    text: """
      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void loop(global uint *a, uint n) {
        uint x = a[0];
        for (uint i = 0; i < n; i++) x = x * 1664525u + (x >> 7) + i;
        a[0] = x;
      }
      """)

  private func device(_ faults: String, timeLimit: Double = Device.standardTimeLimit) throws -> Device {
    let runtime = try OpenCLRuntime.shared.get()
    return try Device(
      functions: runtime.functions, description: OpenCLDevice.shared!.description,
      injector: FaultInjector(FaultPlan(parsing: faults)!), timeLimit: timeLimit)
  }

  /// Allocates, copies, builds, launches and waits, twice.
  private func work(_ device: Device) throws {
    for _ in 0..<2 {
      let buffer = try device.makeBuffer(copying: [UInt32(1)])
      let kernel = try device.program(source).kernel("loop")
      try device.enqueue(kernel, [.buffer(buffer), .uint(3)], groups: [1], groupSize: [1])
      try device.finish()
      _ = try buffer.read(UInt32.self, count: 1)
    }
  }

  @Test func withoutFaultsEverythingGoesWell() throws { try work(device("")) }

  @Test(arguments: ["allocation:2", "enqueue:1", "finish:2"])
  func shortageOfMemoryIsToldAndTheContextGoesOn(_ faults: String) throws {
    let device = try device(faults)
    let error = #expect(throws: ComputeError.self) { try work(device) }
    #expect(error?.isOutOfMemory == true)
    try work(device)
  }

  @Test func everyOtherFaultIsAnError() throws {
    for faults in ["transfer:3", "build:1", "slow:2", "lost:4"] {
      let device = try device(faults)
      #expect(throws: ComputeError.self, "\(faults)") { try work(device) }
    }
    #expect(throws: ComputeError.self) { try device("context:1") }
  }

  @Test func aLostContextStaysLostAndTheNextOneIsNot() throws {
    let injector = FaultInjector(FaultPlan(parsing: "lost:5")!)
    let runtime = try OpenCLRuntime.shared.get()
    let description = OpenCLDevice.shared!.description
    let device = try runtime.makeDevice(description, injector: injector)
    for _ in 0..<2 { #expect(throws: ComputeError.lost(device: description.name)) { try work(device) } }
    try work(runtime.makeDevice(description, injector: injector))
  }

  @Test(.disabled(if: OpenCLDevice.isInterpreter, "it computes when it is waited for"))
  func aKernelThatTakesTooLongIsGivenUp() throws {
    let slow = try device("", timeLimit: 0.1)
    let buffer = try slow.makeBuffer(copying: [UInt32(1)])
    let kernel = try slow.program(source).kernel("loop")
    // Some seconds, and then it ends: a test shouldn't leave a thread that computes for ever.
    try slow.enqueue(kernel, [.buffer(buffer), .uint(2_000_000_000)], groups: [1], groupSize: [1])
    let error = #expect(throws: ComputeError.self) { try slow.finish() }
    #expect(error == .tooSlow(device: slow.description.name, seconds: 0.1))
    #expect(throws: ComputeError.lost(device: slow.description.name)) { try buffer.read(UInt32.self, count: 1) }
    try work(device(""))
  }
}
