import Compute
import Features
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Vectors of pictures where a device has no memory.
@Suite(
  .enabled(if: OpenCLDevice.exists, "no OpenCL device"),
  .disabled(if: OpenCLDevice.isInterpreter, "the whole network takes too long in an interpreter"), .deviceThread)
struct ExtractionTests {
  private let pictures = (0..<3 * 128 * 128 * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

  /// The vectors where the allocations that `faults` names fail, and what was told of it.
  private func vectors(_ faults: [FaultPlan.Fault]) throws -> (FeatureVectors, notes: [String]) {
    var notes: [String] = []
    let choice = try ComputeChoice(
      .automatic, threads: 1, faults: faults.isEmpty ? nil : FaultPlan(faults), note: { notes.append($0) },
      detail: { _ in })
    var extraction = Extraction(model: .kiano, compute: choice)
    return (try extraction.vectors(pictures) { notes.append($0) }, notes)
  }

  @Test func failureOfAnyAllocationIsSurvived() throws {
    let expected = try vectors([]).0
    var number = 1
    // Until there is no allocation of that number.
    while true {
      let (found, notes) = try vectors([FaultPlan.Fault(.allocation, number)])
      if notes.isEmpty { break }
      #expect(found == expected, "allocation \(number)")
      number += 1
    }
    // Weights and biases, scratch memory, and what else a batch needs.
    #expect(number > 12)
  }

  @Test func withoutAnyMemoryPlainSwiftComputes() throws {
    let expected = try vectors([]).0
    for number in [1, 5, 12] {
      let (found, notes) = try vectors([FaultPlan.Fault(.allocation, number, isLasting: true)])
      #expect(!notes.isEmpty && found.appearance == expected.appearance, "from allocation \(number) on")
      let differences = zip(found.content, expected.content).map { abs(Int($0) - Int($1)) }
      #expect(differences.allSatisfy { $0 <= 1 } && differences.count { $0 == 0 } * 100 >= differences.count * 95)
    }
  }
}
