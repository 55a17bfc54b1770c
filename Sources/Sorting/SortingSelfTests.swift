import Compute

extension SelfTestSuite {
  /// Whether a kind of device sorts and measures, to the bit.
  public static func sorting(on kind: DeviceDescription.Kind) -> SelfTestSuite {
    let form = SortingForm(for: kind)
    let isVectors = form == .vectors
    return SelfTestSuite(
      "sorting",
      [
        SelfTest(isVectors ? "box_filter" : "box_sums") { try SortingSelfTest().isRight(.box(radius: 3), $0, form) },
        SelfTest("cross_filter") { try SortingSelfTest().isRight(.cross, $0, form) },
        SelfTest(isVectors ? "assignment" : "assignment_lanes") { try SortingSelfTest().sortIsRight($0) },
        SelfTest(isVectors ? "distance" : "distance_lanes") { try SortingSelfTest().qualityIsRight($0) },
        SelfTest("neighbours") { try SortingSelfTest().neighboursAreRight($0) },
      ])
  }
}

/// A few vectors on a grid with some holes.
private struct SortingSelfTest {
  private let grid = Grid(columns: 17, rows: 13)
  private let vectors: PackedVectors
  private let settings: SortingSettings

  init() {
    let (count, dimensions) = (217, 20)
    vectors = PackedVectors(
      count: count, dimensions: dimensions,
      bytes: (0..<count * dimensions).map {
        UInt8(truncatingIfNeeded: RandomBits.number(seed: 1, counter: UInt64($0)) >> 32)
      })
    settings = SortingSettings(.balanced, dimensions: dimensions)
  }

  func isRight(_ window: Step.Window, _ device: Device, _ form: SortingForm) throws -> Bool {
    let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings)
    let map = WorkingMap(plan: plan)
    map.filter(window, threads: 1)
    let sort = try DeviceSort(plan: plan, device: device, form: form, limit: .max)
    try sort.runFilter(window)
    let found = try sort.slices[0].filtered.read(UInt16.self, count: map.filtered.count)
    return map.filtered.indices.allSatisfy { index in
      let (cell, d) = index.quotientAndRemainder(dividingBy: plan.dimensions)
      let place = (d / plan.chunk * grid.cellCount + cell) * plan.chunk + d % plan.chunk
      return Int16(bitPattern: found[place]) == map.filtered[index]
    }
  }

  func sortIsRight(_ device: Device) throws -> Bool {
    try OpenCLSorter(device: device).sort(vectors, on: grid, settings: settings)
      == SwiftSorter(threads: 1).sort(vectors, on: grid, settings: settings)
  }

  func qualityIsRight(_ device: Device) throws -> Bool {
    let arrangements = [1, 2].map { Arrangement.random(vectors.count, on: grid, seed: $0) }
    return try OpenCLQuality(vectors, device: device).values(of: arrangements)
      == DistancePreservationQuality(vectors, threads: 1).values(of: arrangements)
  }

  func neighboursAreRight(_ device: Device) throws -> Bool {
    let arrangement = Arrangement.random(vectors.count, on: grid, seed: 3)
    return try OpenCLQuality(vectors, device: device).meanNeighbourDistance(of: arrangement)
      == DistancePreservationQuality(vectors, threads: 1).meanNeighbourDistance(of: arrangement)
  }
}
