import Compute

/// The filtered self-sorting map on an OpenCL device. The whole sort stays there: cells go down once and come up once.
public struct OpenCLSorter: GridSorter {
  /// The device that sorts.
  public let device: Device

  /// A sorter on this device.
  public init(device: Device) {
    self.device = device
  }

  /// See `GridSorter`.
  public func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, progress: (Double) -> Bool
  ) throws(ComputeError) -> Arrangement? {
    let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings)
    if plan.schedule.steps.isEmpty { return plan.arrangement(of: plan.initialCells) }
    let sort = try DeviceSort(plan: plan, device: device)
    for (index, step) in plan.schedule.steps.enumerated() {
      guard progress(Double(index) / Double(plan.schedule.steps.count)) else { return nil }
      try sort.run(step)
      // Waiting lets progress and cancellation be true; a step is long beside the wait.
      try device.finish()
    }
    return plan.arrangement(of: try sort.cells.read(Int32.self, count: grid.cellCount))
  }
}

/// The buffers and kernels of one sort.
final class DeviceSort {
  let plan: SortingPlan
  let device: Device
  let cells: Buffer
  private let boxFilter: Kernel
  private let crossFilter: Kernel
  private let assignment: Kernel
  /// The vectors as the filter reads them, `[chunks][count + 1][chunk]`, and as the swaps do, `[count + 1][dimensions]`.
  private let chunkedVectors: Buffer
  private let vectors: Buffer
  private let fallback: Buffer
  private let columnSums: Buffer
  private let columnCounts: Buffer
  let filtered: Buffer
  private let blocks: Buffer
  private let strips: Int
  private var blockOffset = 0

  init(plan: SortingPlan, device: Device) throws(ComputeError) {
    self.plan = plan
    self.device = device
    let chunkOption = "-DCHUNK=\(plan.chunk)"
    boxFilter = try device.program(
      .embedded("box_filter"), options: [chunkOption, "-DHOLES=\(plan.hasHoles ? 1 : 0)"]
    ).kernel("box_filter")
    crossFilter = try device.program(.embedded("cross_filter"), options: [chunkOption]).kernel("cross_filter")
    assignment = try device.program(
      .embedded("assignment"), options: [chunkOption, "-DGROUP=\(plan.settings.groupSize)"]
    ).kernel("assignment")

    let chunks = plan.dimensions / plan.chunk
    let cellCount = plan.grid.cellCount
    // Two work items for each compute unit, so that an uneven share costs little.
    strips = min(plan.grid.rows, max(1, (2 * device.description.computeUnits + chunks - 1) / chunks))
    vectors = try device.makeBuffer(copying: plan.paddedVectors)
    chunkedVectors = try device.makeBuffer(copying: plan.chunkedVectors)
    fallback = try device.makeBuffer(copying: plan.fallback)
    cells = try device.makeBuffer(copying: plan.initialCells)
    filtered = try device.makeBuffer(of: UInt16.self, count: cellCount * plan.dimensions)
    columnSums = try device.makeBuffer(of: UInt32.self, count: strips * plan.grid.columns * plan.dimensions)
    columnCounts = try device.makeBuffer(of: UInt32.self, count: strips * chunks * plan.grid.columns)
    blocks = try device.makeBuffer(copying: plan.schedule.steps.flatMap(\.passes).flatMap(\.blockTable))
  }

  func run(_ step: Step) throws(ComputeError) {
    try runFilter(step.window)
    for pass in step.passes { try runAssignment(pass) }
  }

  func runFilter(_ window: Step.Window) throws(ComputeError) {
    switch window {
    case .box(let radius): try runBoxFilter(radius: radius)
    case .cross: try runCrossFilter()
    }
  }

  private func runCrossFilter() throws(ComputeError) {
    let grid = plan.grid
    try device.enqueue(
      crossFilter,
      [
        .buffer(chunkedVectors), .buffer(cells), .buffer(fallback), .buffer(filtered), .int(Int32(plan.hole)),
        .int(Int32(grid.columns)), .int(Int32(grid.rows)), .int(grid.edges == .torus ? 1 : 0),
      ], groups: [plan.dimensions / plan.chunk, grid.rows], groupSize: [1, 1])
  }

  private func runBoxFilter(radius: Int) throws(ComputeError) {
    let grid = plan.grid
    let stripRows = (grid.rows + strips - 1) / strips
    try device.enqueue(
      boxFilter,
      [
        .buffer(chunkedVectors), .buffer(cells), .buffer(fallback), .buffer(columnSums), .buffer(columnCounts),
        .buffer(filtered), .int(Int32(plan.hole)), .int(Int32(grid.columns)), .int(Int32(grid.rows)),
        .int(Int32(radius)), .int(grid.edges == .torus ? 1 : 0), .int(Int32(stripRows)),
      ], groups: [plan.dimensions / plan.chunk, strips], groupSize: [1, 1])
  }

  private func runAssignment(_ pass: Pass) throws(ComputeError) {
    let grid = plan.grid
    try device.enqueue(
      assignment,
      [
        .buffer(vectors), .buffer(filtered), .buffer(cells), .buffer(blocks), .int(Int32(blockOffset)),
        .int(Int32(plan.hole)), .int(Int32(grid.columns)), .int(Int32(grid.rows)), .int(Int32(plan.dimensions)),
        .int(Int32(plan.shift)), .uint(pass.key),
      ], groups: [pass.groups(of: plan.settings.groupSize), pass.columns.count, pass.rows.count],
      groupSize: [1, 1, 1])
    blockOffset += pass.blockTable.count
  }
}

extension Pass {
  /// The blocks as the kernel reads them: starts and lengths of the columns, then of the rows.
  fileprivate var blockTable: [Int32] {
    [columns.map(\.start), columns.map(\.length), rows.map(\.start), rows.map(\.length)].joined().map(Int32.init)
  }
}

extension SortingPlan {
  /// `[count + 1][dimensions]`; the last one is a hole's, zero.
  fileprivate var paddedVectors: [UInt8] {
    var padded = [UInt8](repeating: 0, count: (vectors.count + 1) * dimensions)
    padded.withUnsafeMutableBufferPointer { padded in
      vectors.bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<vectors.count {
          for d in 0..<vectors.dimensions {
            padded[index * dimensions + d] = bytes[index * vectors.dimensions + d]
          }
        }
      }
    }
    return padded
  }

  /// `[chunks][count + 1][chunk]`.
  fileprivate var chunkedVectors: [UInt8] {
    var chunked = [UInt8](repeating: 0, count: (vectors.count + 1) * dimensions)
    chunked.withUnsafeMutableBufferPointer { chunked in
      vectors.bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<vectors.count {
          for d in 0..<vectors.dimensions {
            chunked[(d / chunk * (vectors.count + 1) + index) * chunk + d % chunk] =
              bytes[index * vectors.dimensions + d]
          }
        }
      }
    }
    return chunked
  }
}
