import Sorting

/// The sheets that a map is cut into.
///
/// On level Z a cell is a square of 2^Z pixels, on the top level that of a thumbnail. A sheet holds whole cells, as many
/// as fit into `sheetSide` pixels, so that a sheet covers the same cells as two times two sheets of the level above:
///
///         level 7               level 6               level 5
///     8x8 cells of 128     16x16 cells of 64     32x32 cells of 32
///     +---+---+---+---+    +-------+-------+    +---------------+
///     |0,0|1,0|2,0|3,0|    |       |       |    |               |
///     +---+---+---+---+    |  0,0  |  1,0  |    |               |
///     |0,1|1,1|2,1|3,1|    |       |       |    |      0,0      |
///     +---+---+---+---+    +-------+-------+    |               |
///
/// The last column and row of sheets are as small as the cells that are left. Sheets don't know whether the map is a
/// torus: whoever shows them joins them.
struct Pyramid: Sendable {
  /// Pixels along a full sheet's side.
  static let sheetSide = 1024
  /// The level whose cells are thumbnails of 128 pixels.
  static let topLevel = 7
  /// The level below which only maps of millions of pictures go.
  private static let usualBottomLevel = 2
  /// Where the lowest level would be larger than this many pixels, there is another one below it.
  private static let largestBottomSide = 2048

  let grid: Grid
  let bottomLevel: Int

  /// - Precondition: the grid has cells.
  init(grid: Grid) {
    precondition(grid.cellCount > 0, "a map without cells can't be drawn")
    self.grid = grid
    var level = Self.usualBottomLevel
    while level > 0, max(grid.columns, grid.rows) << level > Self.largestBottomSide { level -= 1 }
    bottomLevel = level
  }

  /// From the one with the smallest cells.
  var levels: ClosedRange<Int> { bottomLevel...Self.topLevel }

  /// Cells along a full sheet's side.
  func cellsPerSide(_ level: Int) -> Int { Self.sheetSide >> level }

  func sheetColumns(_ level: Int) -> Int { (grid.columns + cellsPerSide(level) - 1) / cellsPerSide(level) }

  func sheetRows(_ level: Int) -> Int { (grid.rows + cellsPerSide(level) - 1) / cellsPerSide(level) }

  /// Sheets on all levels.
  var sheetCount: Int {
    levels.reduce(0) { $0 + sheetColumns($1) * sheetRows($1) }
  }

  /// The columns of cells on a sheet.
  func columns(of sheet: Sheet) -> Range<Int> {
    let side = cellsPerSide(sheet.level)
    return sheet.x * side..<min(grid.columns, (sheet.x + 1) * side)
  }

  /// The rows of cells on a sheet.
  func rows(of sheet: Sheet) -> Range<Int> {
    let side = cellsPerSide(sheet.level)
    return sheet.y * side..<min(grid.rows, (sheet.y + 1) * side)
  }

  /// How many sheets of the level above cover the same cells: 1, 2 or 4.
  func childCount(of sheet: Sheet) -> Int {
    min(2, sheetColumns(sheet.level + 1) - 2 * sheet.x) * min(2, sheetRows(sheet.level + 1) - 2 * sheet.y)
  }

  /// The sheets of the level above with the same cells.
  func children(of sheet: Sheet) -> [Sheet] {
    let level = sheet.level + 1
    return (2 * sheet.x..<min(2 * sheet.x + 2, sheetColumns(level))).flatMap { x in
      (2 * sheet.y..<min(2 * sheet.y + 2, sheetRows(level))).map { Sheet(level: level, x: x, y: $0) }
    }
  }

  /// The sheets of the top level in the order of a Z curve (Morton 1966), in which those below one sheet follow each
  /// other on every level: so few sheets are waiting for others at any time.
  var topSheets: [Sheet] {
    var sheets: [Sheet] = []
    let (columns, rows) = (sheetColumns(Self.topLevel), sheetRows(Self.topLevel))
    sheets.reserveCapacity(columns * rows)
    func visit(x: Int, y: Int, side: Int) {
      guard x < columns, y < rows else { return }
      if side == 1 {
        sheets.append(Sheet(level: Self.topLevel, x: x, y: y))
        return
      }
      let half = side / 2
      visit(x: x, y: y, side: half)
      visit(x: x + half, y: y, side: half)
      visit(x: x, y: y + half, side: half)
      visit(x: x + half, y: y + half, side: half)
    }
    var side = 1
    while side < max(columns, rows) { side *= 2 }
    visit(x: 0, y: 0, side: side)
    return sheets
  }

  /// One sheet's place: `tiles/level/x/y.jpg`.
  struct Sheet: Hashable, Sendable, Comparable {
    let level: Int
    let x: Int
    let y: Int

    /// The sheet with the same cells, and others, on the level below.
    var parent: Sheet { Sheet(level: level - 1, x: x / 2, y: y / 2) }

    /// Levels from the top, on each from left to right.
    static func < (first: Sheet, second: Sheet) -> Bool {
      (-first.level, first.x, first.y) < (-second.level, second.x, second.y)
    }

    /// Its file within a map.
    var name: String { "tiles/\(level)/\(x)/\(y).jpg" }
  }
}
