/// A linear assignment problem: which item to put in which cell for the least sum of costs, solved by shortest augmenting
/// paths (Jonker & Volgenant 1987). `kernels/assignment.cl` gives the same solution, ties included.
final class AssignmentProblem {
  private let size: Int
  /// `[size][size]`: items by cells; none negative, and the least of each item is 0.
  let costs: UnsafeMutableBufferPointer<Int32>
  /// The item in each cell, or -1.
  let owner: UnsafeMutableBufferPointer<Int>
  private let potential: UnsafeMutableBufferPointer<Int32>
  private let length: UnsafeMutableBufferPointer<Int32>
  private let previous: UnsafeMutableBufferPointer<Int>
  private let done: UnsafeMutableBufferPointer<Bool>

  init(size: Int) {
    self.size = size
    costs = .allocate(capacity: size * size)
    owner = .allocate(capacity: size)
    potential = .allocate(capacity: size)
    length = .allocate(capacity: size)
    previous = .allocate(capacity: size)
    done = .allocate(capacity: size)
  }

  deinit {
    costs.deallocate()
    owner.deallocate()
    potential.deallocate()
    length.deallocate()
    previous.deallocate()
    done.deallocate()
  }

  /// Fills `owner` for the first `count` items and cells.
  func solve(count: Int) {
    var isPlaced = [Bool](repeating: false, count: count)
    for b in 0..<count {
      let a = (0..<count).min { costs[$0 * size + b] < costs[$1 * size + b] }!
      potential[b] = costs[a * size + b]
      owner[b] = isPlaced[a] ? -1 : a
      isPlaced[a] = true
    }
    for a in 0..<count where !isPlaced[a] { augment(from: a, count: count) }
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
      let row = costs.baseAddress! + a * size
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
      base = shortest - (costs[a * size + b] - potential[b])
    }
    for next in 0..<count where done[next] { potential[next] += length[next] - shortest }
    while b >= 0 {
      let before = previous[b]
      owner[b] = before < 0 ? start : owner[before]
      b = before
    }
  }
}
