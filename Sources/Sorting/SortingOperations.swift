import Compute

/// What is measured of sorting: the filter, the swaps, and whole sorts.
public struct SortingOperations {
  private let device: Device?
  private let threads: Int

  /// - Parameters:
  ///   - device: where it is done; nil for plain Swift.
  ///   - threads: how many plain Swift has.
  public init(device: Device?, threads: Int) {
    self.device = device
    self.threads = threads
  }

  /// Dimensions of the vectors that are sorted.
  public static let dimensions = 64

  /// The filter at a wide window, and the swaps of one pass, on a square map.
  /// - Parameter side: its rows and columns.
  public func kernels(side: Int) throws -> [BenchmarkOperation] {
    let vectors = Self.vectors(side * side)
    let settings = SortingSettings(.balanced, dimensions: Self.dimensions)
    let grid = Grid(columns: side, rows: side, edges: .torus)
    let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings, start: .random)
    guard let pass = plan.steps.first?.passes.first else { return [] }
    let radius = max(1, side / 8)
    let cells = Double(side * side)
    // The filter reads each vector, the running sums are added to and taken from twice, and the map is written.
    let (filterBytes, filterSums) = (cells * Double(Self.dimensions) * 3, cells * Double(Self.dimensions) * 4)
    let groupSize = Double(settings.groupSize)
    // A distance for each pair of a group: a difference, a product, a sum for each dimension.
    let distances = cells * groupSize * Double(Self.dimensions) * 3
    let run: (filter: () throws -> Void, swaps: () throws -> Void, finish: () throws -> Void)
    if let device {
      let sort = try DeviceSort(
        plan: plan, device: device, form: SortingForm(for: device.description.kind),
        limit: Int(clamping: device.description.maximumAllocationBytes))
      run = (
        { try sort.runFilter(.box(radius: radius)) }, { try sort.runAssignmentAgain(pass) }, { try device.finish() }
      )
    } else {
      let (map, sorter) = (WorkingMap(plan: plan), SwiftSorter(threads: threads))
      run = (
        { map.filter(.box(radius: radius), threads: threads) }, { sorter.swap(in: map, pass: pass) }, {}
      )
    }
    let size = "\(side)x\(side)"
    return [
      BenchmarkOperation(
        stage: "filter", detail: size, unit: "cells", items: side * side, integerOperations: filterSums,
        bytes: filterBytes, run: run.filter, finish: run.finish),
      BenchmarkOperation(
        stage: "assignment", detail: size, unit: "cells", items: side * side, integerOperations: distances,
        run: run.swaps, finish: run.finish),
    ]
  }

  /// A whole sort of vectors that fill a square map.
  public func sort(side: Int) throws -> BenchmarkOperation {
    let vectors = Self.vectors(side * side)
    let settings = SortingSettings(.balanced, dimensions: Self.dimensions)
    let grid = Grid(columns: side, rows: side, edges: .torus)
    let sorter: any GridSorter
    if let device { sorter = OpenCLSorter(device: device) } else { sorter = SwiftSorter(threads: threads) }
    try sorter.prepare(for: vectors, on: grid, settings: settings)
    return BenchmarkOperation(
      stage: "sort", detail: "\(side * side)", unit: "items", items: side * side, isRepeatable: false,
      run: { _ = try sorter.sort(vectors, on: grid, settings: settings, from: .random) { _ in true } })
  }

  /// Vectors on a few axes with noise, as those of pictures are: nothing of them is equal.
  private static func vectors(_ count: Int) -> PackedVectors {
    var state: UInt64 = 1
    func random() -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 40 & 0xFF)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * dimensions)
    for _ in 0..<count {
      let (a, b, c) = (random(), random(), random())
      for dimension in 0..<dimensions {
        let base = [a, b, c, a + b, b + c, c + a][dimension % 6]
        bytes.append(UInt8(clamping: base / (1 + dimension / 12) + random() / 6))
      }
    }
    return PackedVectors(count: count, dimensions: dimensions, bytes: bytes)
  }
}

extension DeviceSort {
  /// Runs a pass whose blocks are the first ones of the table.
  func runAssignmentAgain(_ pass: Pass) throws(ComputeError) {
    blockOffset = 0
    try runAssignment(pass)
  }
}
