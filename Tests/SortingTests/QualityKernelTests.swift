import Compute
import Foundation
import TestSupport
import Testing

@testable import Sorting

@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct QualityKernelTests {
  let device = OpenCLDevice.shared!

  @Test(
    arguments: Problem.random(OpenCLDevice.isInterpreter ? 8 : 40, maximumSide: OpenCLDevice.isInterpreter ? 6 : 30))
  func devicesAgreeBitForBit(_ problem: Problem) throws {
    if problem.count < 2 { return }
    let vectors = problem.vectors
    let arrangements = [UInt64(1), 2].map { Arrangement.random(problem.count, on: problem.grid, seed: $0) }
    let rows = QualityRows(itemCount: problem.count, rowCount: nil).rows
    let definition = SwiftDistanceSummation(vectors, arrangements, threads: 2)
    for form in SortingForm.allCases {
      let summation = try DeviceDistanceSummation(vectors, arrangements, rows: rows, device: device, form: form)
      summation.sampleStep = 1 + problem.count % 3
      for limit in Set([problem.count - 1, (problem.count + 3) / 4, 1]) {
        for part in [0..<rows.count, rows.count / 3..<rows.count] {
          let sums = try summation.sums(part, limit: limit)
          #expect(sums == definition.sums(rows[part], limit: limit), "\(form), \(limit) neighbours, rows \(part)")
        }
      }
    }
  }

  @Test(
    arguments: Problem.random(OpenCLDevice.isInterpreter ? 10 : 40, maximumSide: OpenCLDevice.isInterpreter ? 8 : 30))
  func neighbourDistancesAgree(_ problem: Problem) throws {
    if problem.count < 2 { return }
    let vectors = MetricVectors(problem.vectors)
    let arrangement = Arrangement.random(problem.count, on: problem.grid, seed: 3)
    #expect(try device.neighbourSum(arrangement, vectors) == arrangement.neighbourSum(vectors))
  }

  @Test func extremesFit() throws {
    // Half of the vectors black, half white, at the most dimensions: the largest squares and sums.
    let count = OpenCLDevice.isInterpreter ? 12 : 600
    let bytes = (0..<count).flatMap { [UInt8](repeating: $0 % 2 == 0 ? 0 : 255, count: 128) }
    let vectors = PackedVectors(count: count, dimensions: 128, bytes: bytes)
    let arrangement = Arrangement.random(count, on: Grid(fitting: count), seed: 1)
    let expected = DistancePreservationQuality(vectors, threads: 1).values(of: [arrangement])
    for form in SortingForm.allCases {
      let rows = QualityRows(itemCount: count, rowCount: nil)
      let metric = OpenCLQuality(vectors, rows: rows, device: device, form: form)
      #expect(try metric.values(of: [arrangement]) == expected)
    }
  }
}

struct RootTests {
  /// Every squared distance there is: the root of the kernels is the nearest float.
  @Test func rootsAreRoundedToTheNearest() {
    var wrong = 0
    for square in 0...(128 * 255 * 255) {
      let x = Float(square)
      let half = x * 0.5
      var y = Float(bitPattern: UInt32(bitPattern: 0x5f37_59df - (Int32(bitPattern: x.bitPattern) >> 1)))
      for _ in 0..<3 { y = y * Float(1.5).addingProduct(-(half * y), y) }
      let root = x * y
      if root.addingProduct(x.addingProduct(-root, root), y * 0.5) != x.squareRoot() { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
