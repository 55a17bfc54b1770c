extension SortingStart {
  /// A start in which some items are pinned to their cells, and the others lie in the other cells at random.
  /// - Parameter pins: the pinned items, and -1 in all other cells.
  /// - Precondition: the grid has a cell for each of `count` items.
  public static func pinning(_ pins: Arrangement, count: Int, seed: UInt64) -> SortingStart {
    precondition(count <= pins.grid.cellCount)
    let pinned = pins.items.map { $0 != Arrangement.hole }
    var isPinned = [Bool](repeating: false, count: count)
    for item in pins.items where item != Arrangement.hole { isPinned[Int(item)] = true }
    let others = (0..<count).filter { !isPinned[$0] }
    let cells = pinned.indices.filter { !pinned[$0] }
    let line = Arrangement.random(
      others.count, on: Grid(columns: cells.count, rows: cells.isEmpty ? 0 : 1), seed: seed)
    var items = pins.items
    for (place, index) in line.items.enumerated() {
      items[cells[place]] = index == Arrangement.hole ? index : Int32(others[Int(index)])
    }
    return SortingStart(arrangement: Arrangement(grid: pins.grid, items: items), pinned: pinned)
  }
}
