/// What an arrangement depends on beside the vectors and the grid.
public struct SortingSettings: Sendable, Equatable {
  /// Group sizes that there are kernels for.
  public static let groupSizes = [16, 32, 64]

  /// Chooses the random numbers.
  public var seed: UInt64 = 0
  /// Cells that swap at once: one of `groupSizes`.
  public var groupSize = 32
  /// How often the swaps of one filtered map are repeated with other groups.
  public var passes = 1
  /// By what the filter's radius is multiplied after each step, above 0 and below 1.
  public var decay = 0.93

  /// The largest radius to begin with; nil for half the grid's longer side. A sort that goes on from an earlier
  /// arrangement begins with a small one, so that things stay near where they were.
  public var firstRadius: Int?
  /// Steps that follow once the radius is 1, in which a cell's target is the mean of itself and the four beside it.
  public var crossSteps = 0

  /// One pass of groups of 32 with a decay of 0.93, and no cross steps.
  public init() {}

  /// How often a sort on this grid filters the map.
  public func stepCount(on grid: Grid) -> Int {
    Schedule(grid: grid, settings: self).steps.count
  }
}
