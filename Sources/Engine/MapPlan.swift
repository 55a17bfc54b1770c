import Features
import Imaging
import Library
import Sorting

/// How a map comes from a library: where its sort begins, and whether it has to be sorted at all.
struct MapPlan {
  /// The grid.
  let grid: Grid
  /// Where the sort begins.
  let start: SortingStart
  /// Whether only what is near is looked at, so that what was there stays about where it was.
  let continues: Bool
  /// The first radius of a sort that goes on.
  let radius: Int
  /// Pictures that have come or gone since all of the map was sorted.
  let changes: Int
  /// Whether the start is the sorted map itself.
  let isSorted: Bool

  /// Begins at random.
  init(fresh packed: PackedVectors, grid: Grid, holes: HolePlace, seed: UInt64) {
    self.grid = grid
    start = holes.start(packed.count, on: grid, seed: seed)
    (continues, isSorted) = (false, false)
    (radius, changes) = (0, 0)
  }

  /// Goes on from the last map; nil where too little of it is left.
  /// - Parameters:
  ///   - record: the last map, sorted by the same rules.
  ///   - isUnchanged: whether it was made of the same pictures.
  init?(
    continuing record: MapRecord, edges: Grid.Edges, with ids: [Int64], _ packed: PackedVectors, isUnchanged: Bool
  ) {
    var items: [Int64: Int32] = [:]
    items.reserveCapacity(ids.count)
    for (item, id) in ids.enumerated() { items[id] = Int32(item) }
    let cells = record.cells.map { items[$0.picture] ?? Arrangement.hole }
    let kept = cells.count { $0 != Arrangement.hole }
    // A map that has lost a third of its pictures would be full of holes, and one that has doubled is another map.
    guard kept * 2 >= ids.count, cells.count * 2 <= ids.count * 3 + 16 else { return nil }
    let previous = Arrangement(
      grid: Grid(columns: record.columns, rows: record.cells.count / record.columns, edges: edges), items: cells)
    isSorted = isUnchanged && kept == ids.count
    start = isSorted ? SortingStart(arrangement: previous) : .continuing(previous, with: packed)
    grid = start.arrangement!.grid
    continues = true
    let gone = record.cells.count { $0 != .hole } - kept
    let all = record.changes + (ids.count - kept) + gone
    // Where more and more is put in between, what is near is no longer all that has to move.
    if Double(all) > Self.largestShare * Double(ids.count) {
      radius = max(ArrangeJob.continuingRadius, min(grid.columns, grid.rows) / 6)
      changes = 0
    } else {
      radius = ArrangeJob.continuingRadius
      changes = all
    }
  }

  /// Of a map's pictures so many may come or go before more than what is near is sorted.
  private static let largestShare = 0.03
}
