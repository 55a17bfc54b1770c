import Foundation
import Imaging
import Sorting

/// The sheets of the map that is about to be replaced.
struct LastSheets: Sendable {
  /// The map's folder.
  let folder: BytePath
  /// Cells in a row.
  let columns: Int
  /// What each cell showed; 0 for nothing.
  let shown: [Int64]
  /// What each picture of the new map shows.
  let new: [Int64]

  private var rows: Int { shown.count / columns }

  /// The sheets of a new map that show what sheets of the same place showed.
  func unchanged(in pyramid: Pyramid, _ arrangement: Arrangement) -> [Pyramid.Sheet] {
    let grid = arrangement.grid
    let old = Pyramid(grid: Grid(columns: columns, rows: rows, edges: grid.edges))
    func isSame(_ column: Int, _ row: Int) -> Bool {
      let item = arrangement.items[row * grid.columns + column]
      return shown[row * columns + column] == (item == Arrangement.hole ? 0 : new[Int(item)])
    }
    func hasSameCells(_ sheet: Pyramid.Sheet) -> Bool {
      sheet.x < old.sheetColumns(sheet.level) && sheet.y < old.sheetRows(sheet.level)
        && old.columns(of: sheet) == pyramid.columns(of: sheet) && old.rows(of: sheet) == pyramid.rows(of: sheet)
    }
    var unchanged: Set<Pyramid.Sheet> = []
    for level in pyramid.levels.reversed() where old.levels.contains(level) {
      for x in 0..<pyramid.sheetColumns(level) {
        for y in 0..<pyramid.sheetRows(level) {
          let sheet = Pyramid.Sheet(level: level, x: x, y: y)
          guard hasSameCells(sheet) else { continue }
          let isUnchanged =
            level == Pyramid.topLevel
            ? pyramid.rows(of: sheet).allSatisfy { row in pyramid.columns(of: sheet).allSatisfy { isSame($0, row) } }
            : pyramid.children(of: sheet).allSatisfy { unchanged.contains($0) }
          if isUnchanged { unchanged.insert(sheet) }
        }
      }
    }
    return Array(unchanged)
  }

  /// Gives a sheet a second name in the new map, or copies it.
  /// - Returns: whether that worked.
  func take(_ sheet: Pyramid.Sheet, into new: BytePath) -> Bool {
    let (source, target) = (folder.appending(sheet.name), new.appending(sheet.name))
    if source.withCString({ source in target.withCString { link(source, $0) } }) == 0 { return true }
    guard let bytes = try? FileSystem.read(source) else { return false }
    return (try? FileWriter.write(bytes, to: target)) != nil
  }
}
