/// Solves the linear assignment problems of a pass, one group of cells at a time: `kernels/assignment.cl` says what it
/// computes.
final class GroupSolver {
  private let map: WorkingMap
  private let groupSize: Int
  private let cell: UnsafeMutableBufferPointer<Int>
  private let item: UnsafeMutableBufferPointer<Int32>
  /// `[groupSize][groupSize]`: items by cells.
  private let costs: UnsafeMutableBufferPointer<Int32>
  private let potential: UnsafeMutableBufferPointer<Int32>
  /// The item in a cell, by its place in the group, or -1.
  private let owner: UnsafeMutableBufferPointer<Int>
  private let length: UnsafeMutableBufferPointer<Int32>
  private let previous: UnsafeMutableBufferPointer<Int>
  private let done: UnsafeMutableBufferPointer<Bool>

  init(map: WorkingMap) {
    self.map = map
    groupSize = map.plan.settings.groupSize
    cell = .allocate(capacity: groupSize)
    item = .allocate(capacity: groupSize)
    costs = .allocate(capacity: groupSize * groupSize)
    potential = .allocate(capacity: groupSize)
    owner = .allocate(capacity: groupSize)
    length = .allocate(capacity: groupSize)
    previous = .allocate(capacity: groupSize)
    done = .allocate(capacity: groupSize)
  }

  deinit {
    cell.deallocate()
    item.deallocate()
    costs.deallocate()
    potential.deallocate()
    owner.deallocate()
    length.deallocate()
    previous.deallocate()
    done.deallocate()
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
    for index in 0..<count {
      let position = order[first + index]
      let (dy, dx) = position.quotientAndRemainder(dividingBy: across.length)
      cell[index] = (down.start + dy) % grid.rows * grid.columns + (across.start + dx) % grid.columns
      item[index] = map.cells[cell[index]]
    }
    fillCosts(count: count)
    assign(count: count)
    for index in 0..<count { map.cells[cell[index]] = item[owner[index]] }
  }

  // MARK: - Costs

  private func fillCosts(count: Int) {
    let dimensions = map.plan.dimensions
    for a in 0..<count {
      let row = costs.baseAddress! + a * groupSize
      if item[a] == map.plan.hole {
        for b in 0..<count { row[b] = 0 }
        continue
      }
      let vector = map.vectors.baseAddress! + Int(item[a]) * dimensions
      var least = Int32.max
      for b in 0..<count {
        let target = map.filtered.baseAddress! + cell[b] * dimensions
        // |m|^2 - 32 x.m as m.(m - 32 x) wraps in 16 bits; two sums don't.
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

  // MARK: - Assignment

  /// Fills `owner` with the assignment of least cost (Jonker & Volgenant 1987).
  private func assign(count: Int) {
    for b in 0..<count {
      potential[b] = 0
      owner[b] = -1
    }
    var waiting: [Int] = []
    for a in 0..<count {
      if let b = (0..<count).first(where: { owner[$0] < 0 && costs[a * groupSize + $0] == 0 }) {
        owner[b] = a
      } else {
        waiting.append(a)
      }
    }
    for a in waiting { augment(from: a, count: count) }
  }

  /// Assigns one more item along the shortest path of reduced costs to a free cell.
  private func augment(from start: Int, count: Int) {
    for b in 0..<count {
      length[b] = .max
      done[b] = false
    }
    var (a, b) = (start, -1)
    var base: Int32 = 0
    var shortest: Int32 = 0
    while true {
      let row = costs.baseAddress! + a * groupSize
      var best = -1
      for next in 0..<count where !done[next] {
        let through = row[next] - potential[next] + base
        if through < length[next] {
          length[next] = through
          previous[next] = b
        }
        if best < 0 || length[next] < length[best] { best = next }
      }
      b = best
      shortest = length[b]
      if owner[b] < 0 { break }
      done[b] = true
      a = owner[b]
      base = shortest - (costs[a * groupSize + b] - potential[b])
    }
    for next in 0..<count where done[next] { potential[next] += length[next] - shortest }
    while b >= 0 {
      let before = previous[b]
      owner[b] = before < 0 ? start : owner[before]
      b = before
    }
  }
}
