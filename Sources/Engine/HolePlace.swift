import Sorting

/// Where cells without an item are, when a grid has more cells than there are items.
public enum HolePlace: String, Sendable, CaseIterable {
  /// Where the sort leaves them: mostly between groups of pictures.
  case anywhere
  /// At the end of the grid, row by row.
  case end

  func start(_ count: Int, on grid: Grid, seed: UInt64) -> SortingStart {
    switch self {
    case .anywhere: .random
    case .end: .compact(count, on: grid, seed: seed)
    }
  }
}
