/// A sort made ready: all that the implementations share, so that only the steps themselves are written twice.
struct SortingPlan {
  let vectors: PackedVectors
  let grid: Grid
  let settings: SortingSettings
  let schedule: Schedule
  /// Dimensions that a vector of the processor holds: 4, 8 or 16.
  let chunk: Int
  /// The vectors' dimensions, filled up with zeros to whole chunks.
  let dimensions: Int
  /// Bits that costs lose so that path lengths fit an Int32 (see `kernels/assignment.cl`).
  let shift: Int
  /// The filtered map where a window holds no item: 16 times the mean of all vectors.
  let fallback: [UInt16]
  /// The item in each cell at the start, the vectors' count where there is none.
  let initialCells: [Int32]
  /// Cells that keep what they have; nil where none does.
  let pinned: [Bool]?
  /// The step that the sort begins with.
  let firstStep: Int

  /// - Precondition: the grid has a cell for each vector; the start is one on this grid.
  init(vectors: PackedVectors, grid: Grid, settings: SortingSettings, start: SortingStart = .random) {
    precondition(vectors.count <= grid.cellCount && SortingSettings.groupSizes.contains(settings.groupSize))
    precondition(settings.decay > 0 && settings.decay < 1 && settings.passes > 0)
    self.vectors = vectors
    self.grid = grid
    self.settings = settings
    schedule = Schedule(grid: grid, settings: settings)
    chunk = vectors.dimensions <= 4 ? 4 : vectors.dimensions <= 8 ? 8 : 16
    dimensions = (vectors.dimensions + chunk - 1) / chunk * chunk
    shift = Self.shift(dimensions: vectors.dimensions, groupSize: settings.groupSize)
    fallback = Self.mean(of: vectors, dimensions: dimensions)
    let arrangement = start.arrangement ?? .random(vectors.count, on: grid, seed: settings.seed)
    precondition(arrangement.grid == grid && (start.pinned?.count ?? grid.cellCount) == grid.cellCount)
    initialCells = arrangement.items.map { $0 == Arrangement.hole ? Int32(vectors.count) : $0 }
    firstStep = start.firstStep
    pinned = start.pinned?.contains(true) == true ? start.pinned : nil
  }

  /// What stands in a cell without an item.
  var hole: Int { vectors.count }
  /// Whether some cell is a hole.
  var hasHoles: Bool { initialCells.contains(Int32(hole)) }

  /// The arrangement that these cells are.
  func arrangement(of cells: some Sequence<Int32>) -> Arrangement {
    Arrangement(grid: grid, items: cells.map { $0 == hole ? Arrangement.hole : $0 })
  }

  /// The steps that are to be done, by their number.
  var steps: ArraySlice<Step> { schedule.steps[min(firstStep, schedule.steps.count)...] }

  /// Whether these cells hold what the first ones held, each item once.
  func holdsEverything(_ cells: [Int32]) -> Bool {
    var isMissing = [Bool](repeating: true, count: hole)
    for cell in cells {
      if cell == hole { continue }
      guard isMissing.indices.contains(Int(cell)), isMissing[Int(cell)] else { return false }
      isMissing[Int(cell)] = false
    }
    return !isMissing.contains(true)
  }

  /// The smallest shift that keeps three times the largest cost, times the group size, below 2^31.
  static func shift(dimensions: Int, groupSize: Int) -> Int {
    let largest = dimensions * 4080 * 4080
    return (0...).first { 3 * (largest >> $0) * groupSize < 1 << 31 }!
  }

  private static func mean(of vectors: PackedVectors, dimensions: Int) -> [UInt16] {
    var sums = [Int](repeating: 0, count: dimensions)
    vectors.bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<vectors.count {
        for d in 0..<vectors.dimensions { sums[d] += Int(bytes[index * vectors.dimensions + d]) }
      }
    }
    return sums.map { UInt16((16 * $0 + vectors.count / 2) / max(vectors.count, 1)) }
  }
}
