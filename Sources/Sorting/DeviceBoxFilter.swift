import Compute

/// The low-pass filter of a sort on a device.
protocol DeviceBoxFilter {
  /// Enqueues filtering the map with a window of 2 `radius` + 1 cells.
  func enqueue(radius: Int, slices: [DeviceSlice]) throws(ComputeError)
}

/// `kernels/box_filter.cl`: for processors.
struct RunningSumFilter: DeviceBoxFilter {
  private let plan: SortingPlan
  private let device: Device
  private let kernel: Kernel
  private let cells: Buffer
  private let columnSums: Buffer
  private let columnCounts: Buffer
  private let strips: Int

  /// - Parameter chunks: the most chunks of a slice.
  init(plan: SortingPlan, device: Device, cells: Buffer, chunks: Int) throws(ComputeError) {
    (self.plan, self.device, self.cells) = (plan, device, cells)
    let holes = plan.hasHoles ? 1 : 0
    kernel = try device.program(
      .embedded("box_filter"), options: ["-DCHUNK=\(plan.chunk)", "-DHOLES=\(holes)"]
    ).kernel("box_filter")
    // Two work items for each compute unit, so that an uneven share costs little.
    strips = min(plan.grid.rows, max(1, (2 * device.description.computeUnits + chunks - 1) / chunks))
    columnSums = try device.makeBuffer(of: UInt32.self, count: strips * plan.grid.columns * chunks * plan.chunk)
    columnCounts = try device.makeBuffer(of: UInt32.self, count: strips * chunks * plan.grid.columns)
  }

  func enqueue(radius: Int, slices: [DeviceSlice]) throws(ComputeError) {
    let grid = plan.grid
    let stripRows = (grid.rows + strips - 1) / strips
    for slice in slices {
      try device.enqueue(
        kernel,
        [
          .buffer(slice.chunkedVectors), .buffer(cells), .buffer(slice.fallback), .buffer(columnSums),
          .buffer(columnCounts), .buffer(slice.filtered), .int(Int32(plan.hole)), .int(Int32(grid.columns)),
          .int(Int32(grid.rows)), .int(Int32(radius)), .int(grid.edges == .torus ? 1 : 0), .int(Int32(stripRows)),
        ], groups: [slice.chunks.count, strips], groupSize: [1, 1])
    }
  }
}

/// `kernels/box_sums.cl`: for GPUs.
struct RowAndColumnFilter: DeviceBoxFilter {
  private let plan: SortingPlan
  private let device: Device
  private let rowSums: Kernel
  private let columnMeans: Kernel
  private let cells: Buffer
  private let sums: Buffer
  private let counts: Buffer
  private let chunksAtOnce: Int

  /// - Parameters:
  ///   - chunks: the most chunks of a slice.
  ///   - limit: bytes of the largest buffer.
  init(plan: SortingPlan, device: Device, cells: Buffer, chunks: Int, limit: Int) throws(ComputeError) {
    (self.plan, self.device, self.cells) = (plan, device, cells)
    let program = try device.program(.embedded("box_sums"), options: ["-DCHUNK=\(plan.chunk)"])
    rowSums = try program.kernel("row_sums")
    columnMeans = try program.kernel("column_means")
    chunksAtOnce = max(1, min(chunks, limit / (plan.grid.cellCount * plan.chunk * 4)))
    sums = try device.makeBuffer(of: UInt32.self, count: plan.grid.cellCount * chunksAtOnce * plan.chunk)
    counts = try device.makeBuffer(of: UInt32.self, count: plan.grid.cellCount)
  }

  func enqueue(radius: Int, slices: [DeviceSlice]) throws(ComputeError) {
    let grid = plan.grid
    let (columns, rows) = (Int32(grid.columns), Int32(grid.rows))
    let torus: Int32 = grid.edges == .torus ? 1 : 0
    for slice in slices {
      for first in stride(from: 0, to: slice.chunks.count, by: chunksAtOnce) {
        let chunks = min(chunksAtOnce, slice.chunks.count - first)
        let firstDimension = Int32(first * plan.chunk)
        try device.enqueue(
          rowSums,
          [
            .buffer(slice.vectors), .buffer(cells), .buffer(sums), .buffer(counts), .int(Int32(plan.hole)),
            .int(columns), .int(rows), .int(Int32(radius)), .int(torus), .int(Int32(slice.width)),
            .int(firstDimension),
          ], groups: [chunks, grid.rows], groupSize: [plan.chunk, 1])
        try device.enqueue(
          columnMeans,
          [
            .buffer(sums), .buffer(counts), .buffer(slice.fallback), .buffer(slice.filtered), .int(columns),
            .int(rows), .int(Int32(radius)), .int(torus), .int(firstDimension),
          ], groups: [chunks, grid.columns], groupSize: [plan.chunk, 1])
      }
    }
  }
}
