import Compute

/// The filtered self-sorting map on an OpenCL device. The whole sort stays there: cells go down once and come up once.
public struct OpenCLSorter: GridSorter {
  /// The device that sorts.
  public let device: Device

  private let form: SortingForm
  private let limit: Int
  private let reduction: Int
  /// How long the device sorts until the cells are fetched, so that little is lost with it.
  private let checkpointInterval: Duration

  /// A sorter on this device.
  /// - Parameter reduction: how often the largest buffers are halved, up to 2 times, where the device has little memory.
  public init(device: Device, reduction: Int = 0) {
    self.init(device: device, form: SortingForm(for: device.description.kind), reduction: reduction)
  }

  /// - Parameter limit: bytes of the largest buffer; nil for the device's.
  init(
    device: Device, form: SortingForm, limit: Int? = nil, reduction: Int = 0, checkpointInterval: Duration = .seconds(1)
  ) {
    self.device = device
    self.form = form
    self.limit = limit ?? Int(clamping: device.description.maximumAllocationBytes)
    self.reduction = reduction
    self.checkpointInterval = checkpointInterval
  }

  /// Builds the kernels by a sort of the same kind on a few cells: drivers compile as late as at the first launch.
  public func prepare(for vectors: PackedVectors, on grid: Grid, settings: SortingSettings) throws(ComputeError) {
    let count = min(vectors.count, 16)
    let sample = PackedVectors(
      count: count, dimensions: vectors.dimensions, bytes: Array(vectors.bytes.prefix(count * vectors.dimensions)))
    let cells = Grid(columns: 4, rows: vectors.count < grid.cellCount || count < 16 ? 5 : 4, edges: grid.edges)
    var short = settings
    short.decay = 0.3
    short.passes = 1
    short.crossSteps = min(settings.crossSteps, 1)
    short.firstRadius = nil
    _ = try sort(sample, on: cells, settings: short, from: .random) { _ in true }
  }

  /// See `GridSorter`.
  public func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, from start: SortingStart,
    progress: (Double) -> Bool
  ) throws(ComputeError) -> Arrangement? {
    try sort(vectors, on: grid, settings: settings, from: start, progress: progress) { _ in }
  }

  /// See `GridSorter`.
  /// - Parameter checkpoint: told now and then from where another sorter could go on.
  public func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, from start: SortingStart,
    progress: (Double) -> Bool, checkpoint: (SortingStart) -> Void
  ) throws(ComputeError) -> Arrangement? {
    let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings, start: start)
    if plan.steps.isEmpty { return plan.arrangement(of: plan.initialCells) }
    let sort = try DeviceSort(plan: plan, device: device, form: form, limit: min(limit, plan.sliceBytes) >> reduction)
    let stepsForWait = max(1, (1 << 16) / grid.cellCount)
    var last = ContinuousClock.now
    for (index, step) in zip(plan.steps.indices, plan.steps) {
      guard progress(Double(index) / Double(plan.schedule.steps.count)) else { return nil }
      try sort.run(step)
      // Waiting lets progress and cancellation be true, but costs as much as a step of a small map.
      if index % stepsForWait != 0 { continue }
      try device.finish()
      if .now - last < checkpointInterval { continue }
      let arrangement = try sort.arrangement()
      checkpoint(SortingStart(arrangement: arrangement, pinned: start.pinned, firstStep: index + 1))
      last = .now
    }
    return try sort.arrangement()
  }
}

/// How the kernels of a sort divide the work; the cells are the same.
enum SortingForm: CaseIterable {
  /// A work item does much, in vectors: for processors.
  case vectors
  /// Many work items in step do little each: for GPUs.
  case lanes

  init(for kind: DeviceDescription.Kind) {
    self = kind == .cpu ? .vectors : .lanes
  }
}

/// The buffers and kernels of one sort.
final class DeviceSort {
  let plan: SortingPlan
  let device: Device
  let form: SortingForm
  let cells: Buffer
  let slices: [DeviceSlice]
  private let boxFilter: any DeviceBoxFilter
  private let crossFilter: Kernel
  private let assignment: Kernel
  /// `[cellCount]`, or nothing where no cell is pinned.
  private let pinned: Buffer
  private let blocks: Buffer
  var blockOffset = 0

  /// - Parameter limit: bytes of the largest buffer.
  init(plan: SortingPlan, device: Device, form: SortingForm, limit: Int) throws(ComputeError) {
    self.plan = plan
    self.device = device
    self.form = form
    let chunkOption = "-DCHUNK=\(plan.chunk)"
    let name = form == .vectors ? "assignment" : "assignment_lanes"
    assignment = try device.program(
      .embedded(name),
      options: [chunkOption, "-DGROUP=\(plan.settings.groupSize)", "-DPINS=\(plan.pinned == nil ? 0 : 1)"]
    ).kernel(name)
    crossFilter = try device.program(.embedded("cross_filter"), options: [chunkOption]).kernel("cross_filter")
    cells = try device.makeBuffer(copying: plan.initialCells)
    pinned = try device.makeBuffer(copying: (plan.pinned ?? [false]).map { UInt8($0 ? 1 : 0) })
    blocks = try device.makeBuffer(copying: plan.schedule.steps.flatMap(\.passes).flatMap(\.blockTable))
    slices = try DeviceSlice.slices(of: plan, limit: limit, device: device)
    blockOffset = plan.schedule.steps[..<plan.firstStep].flatMap(\.passes).reduce(0) { $0 + $1.blockTable.count }
    let chunks = slices[0].chunks.count
    switch form {
    case .vectors: boxFilter = try RunningSumFilter(plan: plan, device: device, cells: cells, chunks: chunks)
    case .lanes:
      boxFilter = try RowAndColumnFilter(plan: plan, device: device, cells: cells, chunks: chunks, limit: limit)
    }
  }

  /// What lies in the cells now.
  /// - Throws: also where they don't hold each item once.
  func arrangement() throws(ComputeError) -> Arrangement {
    let items = try cells.read(Int32.self, count: plan.grid.cellCount)
    guard plan.holdsEverything(items) else {
      throw .wrongResult(kernel: assignment.name, device: device.description.name)
    }
    return plan.arrangement(of: items)
  }

  func run(_ step: Step) throws(ComputeError) {
    try runFilter(step.window)
    for pass in step.passes { try runAssignment(pass) }
  }

  func runFilter(_ window: Step.Window) throws(ComputeError) {
    switch window {
    case .box(let radius): try boxFilter.enqueue(radius: radius, slices: slices)
    case .cross: try runCrossFilter()
    }
  }

  private func runCrossFilter() throws(ComputeError) {
    let grid = plan.grid
    let run = form == .vectors ? grid.columns : 1
    for slice in slices {
      try device.enqueue(
        crossFilter,
        [
          .buffer(slice.chunkedVectors), .buffer(cells), .buffer(slice.fallback), .buffer(slice.filtered),
          .int(Int32(plan.hole)), .int(Int32(grid.columns)), .int(Int32(grid.rows)),
          .int(grid.edges == .torus ? 1 : 0), .int(Int32(run)),
        ], groups: [slice.chunks.count, grid.rows, (grid.columns + run - 1) / run], groupSize: [1, 1, 1])
    }
  }

  func runAssignment(_ pass: Pass) throws(ComputeError) {
    let grid = plan.grid
    // Arguments for which there is no slice repeat the last one.
    let four = (0..<DeviceSlice.maximumCount).map { slices[min($0, slices.count - 1)] }
    try device.enqueue(
      assignment,
      four.map { .buffer($0.vectors) } + four.map { .buffer($0.filtered) } + [
        .buffer(cells), .buffer(pinned), .buffer(blocks), .int(Int32(blockOffset)), .int(Int32(plan.hole)),
        .int(Int32(grid.columns)), .int(Int32(grid.rows)), .int(Int32(slices[0].width)),
        .int(Int32(plan.dimensions)), .int(Int32(plan.shift)), .uint(pass.key),
      ], groups: [pass.groups(of: plan.settings.groupSize), pass.columns.count, pass.rows.count],
      groupSize: [form == .vectors ? 1 : plan.settings.groupSize, 1, 1])
    blockOffset += pass.blockTable.count
  }
}

extension Pass {
  /// The blocks as the kernel reads them: starts and lengths of the columns, then of the rows.
  fileprivate var blockTable: [Int32] {
    [columns.map(\.start), columns.map(\.length), rows.map(\.start), rows.map(\.length)].joined().map(Int32.init)
  }
}
