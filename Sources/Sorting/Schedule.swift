/// One pass of swaps: how the grid is cut into blocks, and what shuffles the cells in them.
struct Pass: Equatable {
  /// A stretch of one axis; on a torus it may pass the edge and go on at the opposite one.
  struct Block: Equatable {
    let start: Int
    let length: Int
  }

  let columns: [Block]
  let rows: [Block]
  let key: UInt32

  /// The key of the bijection of one block's cells.
  func key(ofBlock column: Int, _ row: Int) -> UInt32 {
    RandomBits.mix(key &+ UInt32(row * columns.count + column) &* 0x9e37_79b9)
  }

  /// Groups in the largest block.
  func groups(of size: Int) -> Int {
    let cells = (columns.map(\.length).max() ?? 0) * (rows.map(\.length).max() ?? 0)
    return (cells + size - 1) / size
  }
}

/// One filtering of the map, and the passes that use it.
struct Step: Equatable {
  /// What each cell's mean is taken of.
  enum Window: Equatable {
    /// A square of 2 radius + 1 cells.
    case box(radius: Int)
    /// The cell and the four beside it.
    case cross
  }

  let window: Window
  let passes: [Pass]
}

/// All steps of a sort: a function of the grid and the settings alone.
struct Schedule: Equatable {
  let steps: [Step]

  init(grid: Grid, settings: SortingSettings) {
    var radii: [Int] = []
    var radius = Double(max(grid.columns, grid.rows)) / 2
    if let first = settings.firstRadius { radius = min(radius, Double(first)) }
    while radius >= 1 {
      radii.append(Int(radius))
      radius *= settings.decay
    }
    var windows = radii.map { Step.Window.box(radius: $0) }
    if !windows.isEmpty { windows += [Step.Window](repeating: .cross, count: settings.crossSteps) }
    var counter: UInt64 = 1
    steps = windows.map { window in
      let radius = if case .box(let radius) = window { radius } else { 1 }
      let passes = (0..<settings.passes).map { _ in
        defer { counter += 1 }
        return Self.pass(
          grid: grid, radius: radius, groupSize: settings.groupSize,
          random: RandomBits.number(seed: settings.seed, counter: counter))
      }
      return Step(window: window, passes: passes)
    }
  }

  /// Blocks as large as the filter's window, or as a group where that is larger, at a random offset.
  private static func pass(grid: Grid, radius: Int, groupSize: Int, random: UInt64) -> Pass {
    var side = 2 * radius + 1
    while side * side < groupSize { side += 1 }
    let width = min(grid.columns, max(side, (groupSize + grid.rows - 1) / grid.rows))
    let height = min(grid.rows, max(side, (groupSize + grid.columns - 1) / grid.columns))
    let key = RandomBits.number(seed: random, counter: 0)
    return Pass(
      columns: blocks(of: grid.columns, side: width, edges: grid.edges, random: UInt32(truncatingIfNeeded: random)),
      rows: blocks(of: grid.rows, side: height, edges: grid.edges, random: UInt32(random >> 32)),
      key: UInt32(truncatingIfNeeded: key))
  }

  /// Cuts an axis into blocks of nearly the same length, `side` or a little more. On an open axis the block that would
  /// pass the edge is two.
  static func blocks(of length: Int, side: Int, edges: Grid.Edges, random: UInt32) -> [Pass.Block] {
    let count = max(1, length / side)
    let offset = Int((UInt64(random) * UInt64(length)) >> 32)
    let starts = (0..<count).map { $0 * length / count + offset }
    switch edges {
    case .torus:
      return starts.indices.map { index in
        let end = index + 1 < count ? starts[index + 1] : starts[0] + length
        return Pass.Block(start: starts[index] % length, length: end - starts[index])
      }
    case .open:
      let cuts = [0] + starts.map { $0 % length }.sorted() + [length]
      return zip(cuts, cuts.dropFirst()).map { Pass.Block(start: $0, length: $1 - $0) }.filter { $0.length > 0 }
    }
  }
}
