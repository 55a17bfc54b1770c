/// Where a sort begins.
public struct SortingStart: Sendable, Equatable {
  /// The arrangement to begin with; nil for a random one.
  public let arrangement: Arrangement?
  /// Cells that keep what they have, `[cellCount]`; nil where none does.
  public let pinned: [Bool]?
  /// Steps of the schedule that the arrangement has behind it already.
  public let firstStep: Int

  /// Everything at random, nothing pinned.
  public static let random = SortingStart(arrangement: nil, pinned: nil)

  /// A start from an arrangement.
  /// - Parameters:
  ///   - pinned: cells that keep what they have.
  ///   - firstStep: steps that a sort with the same settings did before.
  /// - Precondition: there is a flag for each cell.
  public init(arrangement: Arrangement?, pinned: [Bool]? = nil, firstStep: Int = 0) {
    precondition(firstStep == 0 || arrangement != nil)
    precondition(pinned == nil || arrangement == nil || pinned?.count == arrangement?.grid.cellCount)
    self.arrangement = arrangement
    self.pinned = pinned
    self.firstStep = firstStep
  }

  /// A random start on the first cells, row by row, whose empty cells stay at the end.
  /// - Precondition: the grid has a cell for each of `count` items.
  public static func compact(_ count: Int, on grid: Grid, seed: UInt64) -> SortingStart {
    let line = Arrangement.random(count, on: Grid(columns: count, rows: count == 0 ? 0 : 1), seed: seed)
    let holes = grid.cellCount - count
    return SortingStart(
      arrangement: Arrangement(grid: grid, items: line.items + [Int32](repeating: Arrangement.hole, count: holes)),
      pinned: holes == 0
        ? nil : [Bool](repeating: false, count: count) + [Bool](repeating: true, count: holes))
  }
}
