import Compute

/// The low-pass filter of a sort on a device.
protocol DeviceBoxFilter {
  /// Enqueues filtering the map with a window of 2 `radius` + 1 cells.
  /// - Parameter filtered: `[chunks][cellCount][chunk]`, 16 times the means.
  func enqueue(radius: Int, into filtered: Buffer) throws(ComputeError)
}

/// `kernels/box_filter.cl`: for processors.
struct RunningSumFilter: DeviceBoxFilter {
  private let plan: SortingPlan
  private let device: Device
  private let kernel: Kernel
  private let chunkedVectors: Buffer
  private let cells: Buffer
  private let fallback: Buffer
  private let columnSums: Buffer
  private let columnCounts: Buffer
  private let strips: Int

  init(
    plan: SortingPlan, device: Device, chunkedVectors: Buffer, cells: Buffer, fallback: Buffer
  ) throws(ComputeError) {
    (self.plan, self.device) = (plan, device)
    (self.chunkedVectors, self.cells, self.fallback) = (chunkedVectors, cells, fallback)
    let holes = plan.hasHoles ? 1 : 0
    kernel = try device.program(
      .embedded("box_filter"), options: ["-DCHUNK=\(plan.chunk)", "-DHOLES=\(holes)"]
    ).kernel("box_filter")
    let chunks = plan.dimensions / plan.chunk
    // Two work items for each compute unit, so that an uneven share costs little.
    strips = min(plan.grid.rows, max(1, (2 * device.description.computeUnits + chunks - 1) / chunks))
    columnSums = try device.makeBuffer(of: UInt32.self, count: strips * plan.grid.columns * plan.dimensions)
    columnCounts = try device.makeBuffer(of: UInt32.self, count: strips * chunks * plan.grid.columns)
  }

  func enqueue(radius: Int, into filtered: Buffer) throws(ComputeError) {
    let grid = plan.grid
    let stripRows = (grid.rows + strips - 1) / strips
    try device.enqueue(
      kernel,
      [
        .buffer(chunkedVectors), .buffer(cells), .buffer(fallback), .buffer(columnSums), .buffer(columnCounts),
        .buffer(filtered), .int(Int32(plan.hole)), .int(Int32(grid.columns)), .int(Int32(grid.rows)),
        .int(Int32(radius)), .int(grid.edges == .torus ? 1 : 0), .int(Int32(stripRows)),
      ], groups: [plan.dimensions / plan.chunk, strips], groupSize: [1, 1])
  }
}

/// `kernels/box_sums.cl`: for GPUs.
struct RowAndColumnFilter: DeviceBoxFilter {
  private let plan: SortingPlan
  private let device: Device
  private let rowSums: Kernel
  private let columnMeans: Kernel
  private let vectors: Buffer
  private let cells: Buffer
  private let fallback: Buffer
  private let sums: Buffer
  private let counts: Buffer

  init(plan: SortingPlan, device: Device, vectors: Buffer, cells: Buffer, fallback: Buffer) throws(ComputeError) {
    (self.plan, self.device) = (plan, device)
    (self.vectors, self.cells, self.fallback) = (vectors, cells, fallback)
    let program = try device.program(.embedded("box_sums"), options: ["-DCHUNK=\(plan.chunk)"])
    rowSums = try program.kernel("row_sums")
    columnMeans = try program.kernel("column_means")
    sums = try device.makeBuffer(of: UInt32.self, count: plan.grid.cellCount * plan.dimensions)
    counts = try device.makeBuffer(of: UInt32.self, count: plan.grid.cellCount)
  }

  func enqueue(radius: Int, into filtered: Buffer) throws(ComputeError) {
    let grid = plan.grid
    let (columns, rows) = (Int32(grid.columns), Int32(grid.rows))
    let torus: Int32 = grid.edges == .torus ? 1 : 0
    let chunks = plan.dimensions / plan.chunk
    try device.enqueue(
      rowSums,
      [
        .buffer(vectors), .buffer(cells), .buffer(sums), .buffer(counts), .int(Int32(plan.hole)), .int(columns),
        .int(rows), .int(Int32(radius)), .int(torus),
      ], groups: [chunks, grid.rows], groupSize: [plan.chunk, 1])
    try device.enqueue(
      columnMeans,
      [
        .buffer(sums), .buffer(counts), .buffer(fallback), .buffer(filtered), .int(columns), .int(rows),
        .int(Int32(radius)), .int(torus),
      ], groups: [chunks, grid.columns], groupSize: [plan.chunk, 1])
  }
}
