import Compute

/// `DistancePreservationQuality` on an OpenCL device: the same values, bit for bit.
public struct OpenCLQuality: QualityMetric {
  private let vectors: PackedVectors
  private let rows: QualityRows
  private let device: Device
  private let form: SortingForm
  private let reduction: Int

  /// A metric for these vectors.
  /// - Parameter rowCount: how many items, chosen at random from a fixed seed, are compared with all others; nil for the
  ///   default, as in `DistancePreservationQuality`.
  /// - Parameter reduction: how often the memory for lists is halved, where the device has little.
  public init(_ vectors: PackedVectors, rowCount: Int? = nil, device: Device, reduction: Int = 0) {
    self.init(
      vectors, rows: QualityRows(itemCount: vectors.count, rowCount: rowCount), device: device,
      form: SortingForm(for: device.description.kind), reduction: reduction)
  }

  init(_ vectors: PackedVectors, rows: QualityRows, device: Device, form: SortingForm, reduction: Int = 0) {
    self.vectors = vectors
    self.rows = rows
    self.device = device
    self.form = form
    self.reduction = reduction
  }

  /// See `QualityMetric`.
  public func values(of arrangements: [Arrangement]) throws(ComputeError) -> [Double]? {
    if vectors.count < 2 { return nil }
    let rows = arrangements.first.map(rows.following) ?? rows
    let summation = try DeviceDistanceSummation(
      vectors, arrangements, rows: rows.rows, device: device, form: form)
    summation.reduction = reduction
    return try rows.values { (rows, limit) throws(ComputeError) in try summation.sums(rows, limit: limit) }
  }

  /// See `QualityMetric`.
  public func meanNeighbourDistance(of arrangement: Arrangement) throws(ComputeError) -> Double? {
    let vectors = MetricVectors(vectors)
    return try device.neighbourSum(arrangement, vectors).mean(vectors.scale)
  }
}

/// Adds up distances on a device.
final class DeviceDistanceSummation {
  private let vectors: MetricVectors
  private let device: Device
  private let layoutCount: Int
  private let kernels: any DistanceKernels
  private let tables: LayoutBuffers
  /// Every how many items one is in the sample that tells which ones are near; for tests.
  var sampleStep = 16
  /// How often the number of workers is halved.
  var reduction = 0

  init(
    _ vectors: PackedVectors, _ arrangements: [Arrangement], rows: [Int32], device: Device, form: SortingForm
  ) throws(ComputeError) {
    self.vectors = MetricVectors(vectors)
    self.device = device
    layoutCount = arrangements.count
    tables = try LayoutBuffers(arrangements, rows: rows, itemCount: vectors.count, device: device)
    switch form {
    case .vectors: kernels = try BlockKernels(vectors, device: device)
    case .lanes: kernels = try LaneKernels(vectors, device: device)
    }
  }

  func sums(_ rows: Range<Int>, limit: Int) throws(ComputeError) -> DistanceSums {
    let listCount = layoutCount + 1
    let request = DistanceRequest(
      rows: rows, count: vectors.vectors.count, layoutCount: layoutCount, limit: limit, sampleStep: sampleStep,
      sampleRank: sampleRank(limit), scale: vectors.scale, reduction: reduction)
    let parts = try kernels.sums(request, tables)
    let values = try parts.sums.read(UInt64.self, count: parts.workers * listCount * limit)
    var result = DistanceSums(lists: listCount, limit: limit)
    for worker in 0..<parts.workers {
      for list in 0..<listCount {
        for k in 0..<limit { result.lists[list][k] += values[(worker * listCount + list) * limit + k] }
      }
    }
    result.total = try parts.totals.read(UInt64.self, count: parts.totals.byteCount / 8).reduce(0, +)
    return result
  }

  /// How many of the sample to take for the nearest `limit` to be among them in nearly all rows; 0 where all items are
  /// sorted anyway.
  private func sampleRank(_ limit: Int) -> Int {
    let count = vectors.vectors.count
    if limit >= count * 3 / 4 { return 0 }
    let samples = (count + sampleStep - 1) / sampleStep
    let expected = Double(limit) * Double(samples) / Double(count)
    let rank = Int(expected + 3 * expected.squareRoot()) + 3
    return rank < samples ? rank : 0
  }
}

/// Which distances to add up.
private struct DistanceRequest {
  let rows: Range<Int>
  let count: Int
  let layoutCount: Int
  let limit: Int
  let sampleStep: Int
  let sampleRank: Int
  let scale: Float
  let reduction: Int

  /// How many workers have room, at a number of bytes each for each of the largest buffers: these stay below the
  /// device's limit, and below half a gigabyte.
  func workers(_ wanted: Int, scratchBytes: Int, device: Device) -> Int {
    let room = Int(min(device.description.maximumAllocationBytes, 1 << 29))
    return max(1, min(wanted >> reduction, room / max(scratchBytes, (layoutCount + 1) * limit * 8)))
  }
}

/// The sums of each worker, still on the device.
private struct DistanceParts {
  let sums: Buffer
  let totals: Buffer
  let workers: Int
}

/// One form of the kernels.
private protocol DistanceKernels {
  func sums(_ request: DistanceRequest, _ tables: LayoutBuffers) throws(ComputeError) -> DistanceParts
}

/// `kernels/distance.cl`: for processors.
private struct BlockKernels: DistanceKernels {
  private let device: Device
  private let kernel: Kernel
  private let items: Buffer
  private let squares: Buffer
  private let pairs: Int

  init(_ vectors: PackedVectors, device: Device) throws(ComputeError) {
    self.device = device
    pairs = (vectors.dimensions + 1) / 2
    kernel = try device.program(.embedded("distance")).kernel("distance_sums")
    let table = vectors.dimensionsInPairs
    items = try device.makeBuffer(copying: table.items)
    squares = try device.makeBuffer(copying: table.squares)
  }

  func sums(_ request: DistanceRequest, _ tables: LayoutBuffers) throws(ComputeError) -> DistanceParts {
    let blockBytes = ((request.count + 7) / 8 * 8 + 8) * 64
    // Four for each compute unit, so that an uneven share costs little.
    let workers = request.workers(
      min(4 * device.description.computeUnits, (request.rows.count + 15) / 16), scratchBytes: blockBytes,
      device: device)
    let blocks = try device.makeBuffer(byteCount: workers * blockBytes)
    let lists = try device.makeBuffer(byteCount: workers * ((request.count + 15) / 16 * 16) * 64)
    let sums = try device.makeBuffer(of: UInt64.self, count: workers * (request.layoutCount + 1) * request.limit)
    let totals = try device.makeBuffer(of: UInt64.self, count: workers)
    try device.enqueue(
      kernel,
      [
        .buffer(items), .buffer(squares), .buffer(tables.rows), .buffer(tables.layouts), .buffer(tables.steps),
        .buffer(tables.ends), .buffer(tables.cells), .buffer(tables.places), .buffer(blocks), .buffer(lists),
        .buffer(sums), .buffer(totals), .int(Int32(request.rows.lowerBound)), .int(Int32(request.rows.count)),
        .int(Int32(request.count)), .int(Int32(pairs)), .int(Int32(request.layoutCount)),
        .int(Int32(request.limit)), .int(Int32(request.sampleStep)), .int(Int32(request.sampleRank)),
        .float(request.scale),
      ], groups: [workers], groupSize: [1])
    return DistanceParts(sums: sums, totals: totals, workers: workers)
  }
}

/// `kernels/distance_lanes.cl`: for GPUs.
private struct LaneKernels: DistanceKernels {
  private static let lanes = 64

  private let device: Device
  private let distances: Kernel
  private let nearest: Kernel
  private let surroundings: Kernel
  private let addSums: Kernel
  private let items: Buffer
  private let dimensions: Int

  init(_ vectors: PackedVectors, device: Device) throws(ComputeError) {
    self.device = device
    dimensions = (vectors.dimensions + 3) / 4 * 4
    let program = try device.program(.embedded("distance_lanes"), options: ["-DGROUP=\(Self.lanes)"])
    distances = try program.kernel("distances")
    nearest = try program.kernel("nearest")
    surroundings = try program.kernel("surroundings")
    addSums = try program.kernel("add_sums")
    items = try device.makeBuffer(copying: vectors.dimensionsInFours)
  }

  func sums(_ request: DistanceRequest, _ tables: LayoutBuffers) throws(ComputeError) -> DistanceParts {
    let (count, limit, lanes) = (request.count, request.limit, Self.lanes)
    let listCount = request.layoutCount + 1
    // Enough groups to hide what each waits for.
    let workers = request.workers(
      min(16 * device.description.computeUnits, request.rows.count), scratchBytes: (count + 1) * 4, device: device)
    let blocks = try device.makeBuffer(of: Int32.self, count: workers * (count + 1))
    let lists = try device.makeBuffer(of: Int32.self, count: workers * count)
    let sums = try device.makeBuffer(copying: [UInt64](repeating: 0, count: workers * listCount * limit))
    let totals = try device.makeBuffer(copying: [UInt64](repeating: 0, count: workers * lanes))
    for first in stride(from: request.rows.lowerBound, to: request.rows.upperBound, by: workers) {
      let batch = min(workers, request.rows.upperBound - first)
      try device.enqueue(
        distances,
        [
          .buffer(items), .buffer(tables.rows), .buffer(blocks), .int(Int32(first)), .int(Int32(count)),
          .int(Int32(dimensions)),
        ], groups: [(count + lanes) / lanes, batch], groupSize: [lanes, 1])
      try device.enqueue(
        nearest,
        [
          .buffer(blocks), .buffer(lists), .buffer(sums), .buffer(totals), .int(Int32(count)), .int(Int32(listCount)),
          .int(Int32(limit)), .int(Int32(request.sampleStep)), .int(Int32(request.sampleRank)), .float(request.scale),
        ], groups: [batch], groupSize: [lanes])
      for number in 1..<listCount {
        try device.enqueue(
          surroundings,
          [
            .buffer(tables.rows), .buffer(tables.layouts), .buffer(tables.steps), .buffer(tables.ends),
            .buffer(tables.cells), .buffer(tables.places), .buffer(blocks), .buffer(lists), .buffer(sums),
            .int(Int32(first)), .int(Int32(count)), .int(Int32(listCount)), .int(Int32(number)), .int(Int32(limit)),
            .float(request.scale),
          ], groups: [batch], groupSize: [lanes])
      }
    }
    try device.enqueue(
      addSums, [.buffer(sums), .int(Int32(listCount * limit)), .int(Int32(workers))],
      groups: [(listCount * limit + lanes - 1) / lanes], groupSize: [lanes])
    return DistanceParts(sums: sums, totals: totals, workers: 1)
  }
}

/// The rows and the layouts as the kernels read them.
private struct LayoutBuffers {
  let rows: Buffer
  let layouts: Buffer
  let steps: Buffer
  let ends: Buffer
  let cells: Buffer
  let places: Buffer

  init(_ arrangements: [Arrangement], rows: [Int32], itemCount: Int, device: Device) throws(ComputeError) {
    let tables = LayoutTables(arrangements, itemCount: itemCount)
    self.rows = try device.makeBuffer(copying: rows)
    layouts = try device.makeBuffer(copying: tables.layouts)
    steps = try device.makeBuffer(copying: tables.steps)
    ends = try device.makeBuffer(copying: tables.ends)
    cells = try device.makeBuffer(copying: tables.cells)
    places = try device.makeBuffer(copying: tables.places)
  }
}

private struct LayoutTables {
  var layouts: [Int32] = []
  var steps: [SIMD2<Int32>] = []
  var ends: [Int32] = []
  var cells: [Int32] = []
  var places: [Int32] = []

  init(_ arrangements: [Arrangement], itemCount: Int) {
    var known: [(grid: Grid, entry: [Int32])] = []
    for arrangement in arrangements {
      let grid = arrangement.grid
      let entry: [Int32]
      if let before = known.first(where: { $0.grid == grid }) {
        entry = before.entry
      } else {
        let rings = Rings(grid)
        entry = [
          Int32(grid.columns), Int32(grid.rows), grid.edges == .torus ? 1 : 0, Int32(steps.count), Int32(ends.count),
          Int32(rings.ends.count),
        ]
        known.append((grid, entry))
        steps += rings.steps
        ends += rings.ends
      }
      layouts += entry + [Int32(cells.count), 0]
      let layout = Layout(arrangement, itemCount: itemCount)
      cells += layout.cells
      places += layout.places
    }
  }
}

extension PackedVectors {
  /// `[count8][(dimensions + 1) / 2][2]` and the vectors' squares, `count8` being `count` rounded up to a multiple of 8.
  fileprivate var dimensionsInPairs: (items: [UInt16], squares: [Int32]) {
    let rounded = (count + 7) / 8 * 8
    let even = (dimensions + 1) / 2 * 2
    var items = [UInt16](repeating: 0, count: rounded * even)
    var squares = [Int32](repeating: 0, count: rounded)
    items.withUnsafeMutableBufferPointer { items in
      bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<count {
          var square: Int32 = 0
          for d in 0..<dimensions {
            let byte = bytes[index * dimensions + d]
            items[index * even + d] = UInt16(byte)
            square += Int32(byte) * Int32(byte)
          }
          squares[index] = square
        }
      }
    }
    return (items, squares)
  }

  /// `[(dimensions + 3) / 4][count][4]`.
  fileprivate var dimensionsInFours: [UInt8] {
    var fours = [UInt8](repeating: 0, count: (dimensions + 3) / 4 * 4 * count)
    fours.withUnsafeMutableBufferPointer { fours in
      bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<count {
          for d in 0..<dimensions { fours[(d / 4 * count + index) * 4 + d % 4] = bytes[index * dimensions + d] }
        }
      }
    }
    return fours
  }
}
