/// Solves the linear assignment problems of a pass, one group of cells at a time: `kernels/assignment.cl` says what it
/// computes.
final class GroupSolver {
  private let map: WorkingMap
  private let groupSize: Int
  private let cell: UnsafeMutableBufferPointer<Int>
  private let item: UnsafeMutableBufferPointer<Int32>
  private let problem: AssignmentProblem

  init(map: WorkingMap) {
    self.map = map
    groupSize = map.plan.settings.groupSize
    cell = .allocate(capacity: groupSize)
    item = .allocate(capacity: groupSize)
    problem = AssignmentProblem(size: groupSize)
  }

  deinit {
    cell.deallocate()
    item.deallocate()
  }

  /// Moves the items of one group of one block to where they fit best.
  func solve(pass: Pass, column: Int, row: Int, group: Int) {
    let grid = map.plan.grid
    let (across, down) = (pass.columns[column], pass.rows[row])
    let cells = across.length * down.length
    let first = group * groupSize
    let count = min(groupSize, cells - first)
    if count <= 1 { return }

    let order = SeededBijection(count: cells, key: pass.key(ofBlock: column, row))
    var free = 0
    for index in 0..<count {
      let position = order[first + index]
      let (dy, dx) = position.quotientAndRemainder(dividingBy: across.length)
      cell[free] = (down.start + dy) % grid.rows * grid.columns + (across.start + dx) % grid.columns
      item[free] = map.cells[cell[free]]
      if map.plan.pinned?[cell[free]] != true { free += 1 }
    }
    fillCosts(count: free)
    problem.solve(count: free)
    for index in 0..<free { map.cells[cell[index]] = item[problem.owner[index]] }
  }

  // MARK: - Costs

  private func fillCosts(count: Int) {
    let dimensions = map.plan.dimensions
    for a in 0..<count {
      let row = problem.costs.baseAddress! + a * groupSize
      if item[a] == map.plan.hole {
        for b in 0..<count { row[b] = 0 }
        continue
      }
      let vector = map.vectors.baseAddress! + Int(item[a]) * dimensions
      var least = Int32.max
      for b in 0..<count {
        let target = map.filtered.baseAddress! + cell[b] * dimensions
        var square: Int32 = 0
        var product: Int32 = 0
        for d in 0..<dimensions {
          square &+= Int32(target[d]) &* Int32(target[d])
          product &+= Int32(vector[d]) &* Int32(target[d])
        }
        row[b] = square &- product &<< 5
        least = min(least, row[b])
      }
      for b in 0..<count { row[b] = (row[b] &- least) >> Int32(map.plan.shift) }
    }
  }
}
