import Dispatch

/// The narrowest filter of the map: the mean of each cell and the four beside it. `kernels/cross_filter.cl` says what it
/// computes.
struct CrossFilter {
  let map: WorkingMap

  /// Filters all rows, some of them on each thread.
  func run(threads: Int) {
    let rows = map.plan.grid.rows
    let pieces = min(rows, threads)
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
      var sums = [Int32](repeating: 0, count: map.plan.dimensions)
      for y in (piece * rows / pieces)..<((piece + 1) * rows / pieces) { filterRow(y, sums: &sums) }
    }
  }

  private func filterRow(_ y: Int, sums: inout [Int32]) {
    let (grid, dimensions) = (map.plan.grid, map.plan.dimensions)
    for x in 0..<grid.columns {
      var count: Int32 = 0
      for d in 0..<dimensions { sums[d] = 0 }
      for cell in cross(x, y) {
        let item = Int(map.cells[cell])
        if item == map.plan.hole { continue }
        count += 1
        let vector = map.vectors.baseAddress! + item * dimensions
        for d in 0..<dimensions { sums[d] &+= Int32(vector[d]) }
      }
      let mean = map.filtered.baseAddress! + (y * grid.columns + x) * dimensions
      for d in 0..<dimensions {
        mean[d] = count == 0 ? Int16(map.plan.fallback[d]) : Int16((16 * sums[d] + count / 2) / count)
      }
    }
  }

  /// The cells of the cross, each once.
  private func cross(_ x: Int, _ y: Int) -> [Int] {
    let grid = map.plan.grid
    func neighbours(_ position: Int, _ length: Int) -> [Int] {
      let both = [position - 1, position + 1]
      switch grid.edges {
      case .open: return both.filter { $0 >= 0 && $0 < length }
      case .torus: return length > 2 ? both.map { ($0 + length) % length } : both.filter { $0 >= 0 && $0 < length }
      }
    }
    return [y * grid.columns + x] + neighbours(x, grid.columns).map { y * grid.columns + $0 }
      + neighbours(y, grid.rows).map { $0 * grid.columns + x }
  }
}
