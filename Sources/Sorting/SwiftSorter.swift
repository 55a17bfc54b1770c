import Compute
import Dispatch

/// The filtered self-sorting map in plain Swift: the definition that the kernels are compared with, and the way to sort
/// where no device is.
public struct SwiftSorter: GridSorter {
  /// How many threads share the work.
  public let threads: Int

  /// A sorter that uses this many threads; the result doesn't depend on it.
  public init(threads: Int) {
    self.threads = max(1, threads)
  }

  /// Nothing to prepare.
  public func prepare(for vectors: PackedVectors, on grid: Grid, settings: SortingSettings) {}

  /// See `GridSorter`.
  public func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, from start: SortingStart,
    progress: (Double) -> Bool
  ) throws(ComputeError) -> Arrangement? {
    let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings, start: start)
    let map = WorkingMap(plan: plan)
    for (index, step) in zip(plan.steps.indices, plan.steps) {
      guard progress(Double(index) / Double(plan.schedule.steps.count)) else { return nil }
      map.filter(step.window, threads: threads)
      for pass in step.passes { swap(in: map, pass: pass) }
    }
    return plan.arrangement(of: map.cells)
  }

  func swap(in map: WorkingMap, pass: Pass) {
    let blocks = pass.columns.count * pass.rows.count
    let groups = pass.groups(of: map.plan.settings.groupSize)
    // A piece is a run of groups, large enough that a thread's workspace pays.
    let pieces = min(blocks * groups, threads * 8)
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      let solver = GroupSolver(map: map)
      for number in (piece * blocks * groups / pieces)..<((piece + 1) * blocks * groups / pieces) {
        let block = number / groups
        solver.solve(
          pass: pass, column: block % pass.columns.count, row: block / pass.columns.count, group: number % groups)
      }
    }
  }
}

/// The buffers of one sort. Threads write disjoint parts of them.
final class WorkingMap: @unchecked Sendable {
  // Unchecked: within a step each thread writes its own dimensions (filter) or its own cells (swaps).

  let plan: SortingPlan
  /// `[count + 1][dimensions]`; the last vector is a hole's, zero.
  let vectors: UnsafeMutableBufferPointer<Int16>
  /// `[cellCount]`.
  let cells: UnsafeMutableBufferPointer<Int32>
  /// 16 times the filtered map, `[cellCount][dimensions]`.
  let filtered: UnsafeMutableBufferPointer<Int16>

  init(plan: SortingPlan) {
    self.plan = plan
    vectors = .allocate(capacity: (plan.vectors.count + 1) * plan.dimensions)
    cells = .allocate(capacity: plan.grid.cellCount)
    filtered = .allocate(capacity: plan.grid.cellCount * plan.dimensions)
    vectors.initialize(repeating: 0)
    filtered.initialize(repeating: 0)
    _ = cells.initialize(from: plan.initialCells)
    for index in 0..<plan.vectors.count {
      for (d, value) in plan.vectors[index].enumerated() { vectors[index * plan.dimensions + d] = Int16(value) }
    }
  }

  /// Fills `filtered`.
  func filter(_ window: Step.Window, threads: Int) {
    switch window {
    case .box(let radius): BoxFilter(map: self, radius: radius).run(threads: threads)
    case .cross: CrossFilter(map: self).run(threads: threads)
    }
  }

  deinit {
    vectors.deallocate()
    cells.deallocate()
    filtered.deallocate()
  }
}
