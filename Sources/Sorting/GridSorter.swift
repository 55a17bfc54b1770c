import Compute

/// Sorts vectors on a grid so that neighbours are alike: a filtered self-sorting map (Strong & Gong 2014; Barthel, Hezel,
/// Jung & Schall 2023, "Improved Evaluation and Generation of Grid Layouts using Distance Preservation Quality and Linear
/// Assignment Sorting").
///
/// All arithmetic after the packing is exact: the arrangement depends on vectors, grid and settings, and on nothing else.
public protocol GridSorter: Sendable {
  /// Does once what later sorts of such vectors need, such as building kernels.
  /// - Throws: `ComputeError` where a device fails.
  func prepare(for vectors: PackedVectors, on grid: Grid, settings: SortingSettings) throws(ComputeError)

  /// Sorts `vectors` on `grid`.
  /// - Parameters:
  ///   - start: where the sort begins.
  ///   - progress: told the share of the steps done, 0 to 1; returning false ends the sort.
  /// - Returns: the arrangement, or nil where `progress` ended the sort.
  /// - Precondition: the grid has a cell for each vector, and the start is one of these vectors on this grid.
  /// - Throws: `ComputeError` where a device fails.
  func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, from start: SortingStart,
    progress: (Double) -> Bool
  ) throws(ComputeError) -> Arrangement?
}

extension GridSorter {
  /// Sorts `vectors` on `grid` to the end.
  public func sort(
    _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings = SortingSettings(),
    from start: SortingStart = .random
  ) throws(ComputeError) -> Arrangement {
    try sort(vectors, on: grid, settings: settings, from: start) { _ in true }!
  }
}
