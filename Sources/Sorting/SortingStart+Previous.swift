extension SortingStart {
  /// A start from an earlier arrangement, to which items have been added, and from which some may be gone.
  ///
  /// What was there stays where it was. When cells are short, columns and rows are added at the right and at the bottom,
  /// whichever side is shorter. Each new item, in order, takes the free cell whose surroundings are most like it, the
  /// lowest of equal ones. A short sort with a small first radius follows (`SortingSettings.firstRadius`).
  /// - Parameters:
  ///   - previous: the earlier arrangement, its items renumbered as in `vectors`; -1 for what is gone.
  ///   - vectors: all vectors there are now.
  public static func continuing(_ previous: Arrangement, with vectors: PackedVectors) -> SortingStart {
    let grown = previous.grown(for: vectors.count)
    var seen = [Bool](repeating: false, count: vectors.count)
    for item in grown.items where item != Arrangement.hole { seen[Int(item)] = true }
    let added = (0..<vectors.count).filter { !seen[$0] }
    if added.isEmpty { return SortingStart(arrangement: grown) }

    var items = grown.items
    var free = items.indices.filter { items[$0] == Arrangement.hole }
    // Each new item is compared with each free cell only while that is less work than the sort itself.
    let compares = added.count * free.count <= 1 << 26
    let plan = SortingPlan(
      vectors: vectors, grid: grown.grid, settings: SortingSettings(), start: SortingStart(arrangement: grown))
    let map = WorkingMap(plan: plan)
    if compares { BoxFilter(map: map, radius: 2).run(threads: 1) }
    for item in added {
      let place = compares ? nearest(free, to: item, in: map) : free.count - 1
      items[free[place]] = Int32(item)
      free.remove(at: place)
    }
    return SortingStart(arrangement: Arrangement(grid: grown.grid, items: items))
  }

  /// The place in `free` of the cell whose surroundings are most like `item`.
  private static func nearest(_ free: [Int], to item: Int, in map: WorkingMap) -> Int {
    let dimensions = map.plan.dimensions
    let vector = map.vectors.baseAddress! + item * dimensions
    var best = (place: 0, distance: Int.max)
    for (place, cell) in free.enumerated() {
      let target = map.filtered.baseAddress! + cell * dimensions
      var distance = 0
      for d in 0..<dimensions {
        let difference = Int(target[d]) - 16 * Int(vector[d])
        distance += difference * difference
      }
      if distance < best.distance { best = (place, distance) }
    }
    return best.place
  }
}

extension Arrangement {
  /// The same arrangement on a grid with a cell for each of `count` items.
  func grown(for count: Int) -> Arrangement {
    var (columns, rows) = (max(grid.columns, 1), max(grid.rows, 1))
    while columns * rows < count {
      if columns <= rows { columns += 1 } else { rows += 1 }
    }
    if columns == grid.columns, rows == grid.rows { return self }
    var cells = [Int32](repeating: Self.hole, count: columns * rows)
    for (cell, item) in items.enumerated() { cells[cell / grid.columns * columns + cell % grid.columns] = item }
    return Arrangement(grid: Grid(columns: columns, rows: rows, edges: grid.edges), items: cells)
  }
}
