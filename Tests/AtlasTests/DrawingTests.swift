import Foundation
import Imaging
import Sorting
import TestSupport
import Testing

@testable import Atlas

@Suite("Drawing")
struct DrawingTests {
  private static let grids = [(1, 1), (8, 8), (9, 17), (40, 3), (33, 34)]

  /// JPEG changes colours a little.
  private func isClose(_ first: [UInt8], _ second: [UInt8], within distance: Int = 6) -> Bool {
    zip(first, second).allSatisfy { abs(Int($0) - Int($1)) <= distance }
  }

  @Test("every cell has its picture's colour, on every level and in map.png", arguments: grids)
  func colours(columns: Int, rows: Int) throws {
    try Locations.withTemporaryFolder { folder in
      let map = BytePath(folder.path).appending("map")
      let contents = try SampleMap.contents(columns: columns, rows: rows, holes: min(1, columns * rows - 1))
      try MapWriter(destination: map).write(contents)
      let pyramid = Pyramid(grid: contents.arrangement.grid)
      for level in pyramid.levels {
        var seen = 0
        for x in 0..<pyramid.sheetColumns(level) {
          for y in 0..<pyramid.sheetRows(level) {
            let sheet = Pyramid.Sheet(level: level, x: x, y: y)
            let image = try TestFiles.picture(map.appending(sheet.name))
            let (across, down) = (pyramid.columns(of: sheet), pyramid.rows(of: sheet))
            #expect(image.width == across.count << level && image.height == down.count << level)
            seen += across.count * down.count
            // Below 16 pixels, JPEG's colours run from cell to cell.
            guard level >= 4 else { continue }
            check(image, contents, columns: across, rows: down, cell: 1 << level)
          }
        }
        #expect(seen == columns * rows)
      }
      let picture = try TestFiles.picture(map.appending("map.png"))
      #expect(picture.width <= 4096 && picture.width.isMultiple(of: columns))
      check(picture, contents, columns: 0..<columns, rows: 0..<rows, cell: picture.width / columns)
    }
  }

  private func check(_ image: RGBImage, _ contents: MapContents, columns: Range<Int>, rows: Range<Int>, cell: Int) {
    for row in rows {
      for column in columns {
        let item = contents.arrangement.items[row * contents.arrangement.grid.columns + column]
        let expected = item == Arrangement.hole ? holeColour : SampleMap.colour(Int(item))
        let x = (column - columns.lowerBound) * cell + cell / 2
        let y = (row - rows.lowerBound) * cell + cell / 2
        #expect(isClose(image.colour(x: x, y: y), expected), "column \(column), row \(row), cells of \(cell)")
      }
    }
  }

  @Test("the sheets don't depend on the number of threads")
  func threads() throws {
    try Locations.withTemporaryFolder { folder in
      let contents = try SampleMap.contents(columns: 37, rows: 21)
      var maps: [BytePath] = []
      for threads in [1, 7] {
        let map = BytePath(folder.path).appending("map\(threads)")
        var writer = MapWriter(destination: map)
        writer.threadCount = threads
        try writer.write(contents)
        maps.append(map)
      }
      let pyramid = Pyramid(grid: contents.arrangement.grid)
      for name in ["map.png"] + pyramid.levels.map({ Pyramid.Sheet(level: $0, x: 0, y: 0).name }) {
        #expect(try TestFiles.bytes(maps[0].appending(name)) == TestFiles.bytes(maps[1].appending(name)))
      }
    }
  }

  @Test("sheets that show what they showed are taken over, and the others are as if all had been drawn")
  func unchangedSheets() throws {
    try Locations.withTemporaryFolder { folder in
      let map = BytePath(folder.path).appending("map")
      var contents = try SampleMap.contents(columns: 40, rows: 37)
      try MapWriter(destination: map).write(contents)
      let grid = contents.arrangement.grid
      let shown = contents.arrangement.items.map { Int64($0 + 1) }
      func inode(_ sheet: Pyramid.Sheet) -> UInt64 {
        var status = stat()
        return map.appending(sheet.name).withCString { stat($0, &status) } == 0 ? UInt64(status.st_ino) : 0
      }
      let corner = Pyramid.Sheet(level: 7, x: 0, y: 0)
      let (far, middle) = (Pyramid.Sheet(level: 7, x: 4, y: 4), Pyramid.Sheet(level: 6, x: 2, y: 2))
      let before = [corner, far, middle].map(inode)

      // Two pictures of the first sheet trade places; one elsewhere gets another look.
      var items = contents.arrangement.items
      items.swapAt(0, 1)
      contents.arrangement = Arrangement(grid: grid, items: items)
      var pictures = (0..<contents.pictures.count).map { Int64($0 + 1) }
      pictures[Int(items[20])] = 1 << 40
      contents.last = .init(columns: grid.columns, shown: shown, pictures: pictures)
      let report = try MapWriter(destination: map).write(contents)
      #expect(report.reusedSheetCount > 0 && report.reusedSheetCount < report.sheetCount)
      let after = [corner, far, middle].map(inode)
      #expect(after[0] != before[0] && after[1...] == before[1...])

      let fresh = BytePath(folder.path).appending("fresh")
      contents.last = nil
      try MapWriter(destination: fresh).write(contents)
      let pyramid = Pyramid(grid: grid)
      for level in pyramid.levels {
        for x in 0..<pyramid.sheetColumns(level) {
          for y in 0..<pyramid.sheetRows(level) {
            let name = Pyramid.Sheet(level: level, x: x, y: y).name
            if level >= 6 {
              #expect(try TestFiles.bytes(map.appending(name)) == TestFiles.bytes(fresh.appending(name)))
            } else {
              let (one, other) = try (
                TestFiles.picture(map.appending(name)), TestFiles.picture(fresh.appending(name))
              )
              #expect(isClose(one.pixels, other.pixels, within: 24), "\(name)")
            }
          }
        }
      }
    }
  }

  @Test("a map of another size takes over what still fits")
  func grown() throws {
    try Locations.withTemporaryFolder { folder in
      let map = BytePath(folder.path).appending("map")
      let small = try SampleMap.contents(columns: 16, rows: 16)
      try MapWriter(destination: map).write(small)
      var large = try SampleMap.contents(columns: 16, rows: 24)
      // The upper part is as it was.
      let items = small.arrangement.items + (256..<384).map { Int32($0) }
      large.arrangement = Arrangement(grid: large.arrangement.grid, items: items)
      large.last = .init(
        columns: 16, shown: small.arrangement.items.map { Int64($0 + 1) }, pictures: (1...384).map { Int64($0) })
      // Four sheets of the upper level and the one below them; those below that have become higher.
      #expect(try MapWriter(destination: map).write(large).reusedSheetCount == 5)
    }
  }

  @Test("map.png has the largest cells that fit")
  func pictureSize() {
    func width(_ columns: Int, _ limit: Int) -> Int? {
      ContactSheet(of: Grid(columns: columns, rows: 1), width: limit)?.width
    }
    #expect(width(10, 4096) == 1280)
    #expect(width(32, 4096) == 4096)
    #expect(width(33, 4096) == 33 * 64)
    #expect(width(316, 4096) == 316 * 8)
    #expect(width(2000, 4096) == 4000)
    #expect(width(100, 399) == nil)
    #expect(width(5000, 4096) == nil)
  }

  @Test("every sheet of the top level comes once, and all of a parent's in a row")
  func order() {
    let pyramid = Pyramid(grid: Grid(columns: 100, rows: 37))
    let sheets = pyramid.topSheets
    #expect(Set(sheets).count == sheets.count)
    #expect(sheets.count == pyramid.sheetColumns(7) * pyramid.sheetRows(7))
    var finished: Set<Pyramid.Sheet> = []
    var current: Pyramid.Sheet?
    for parent in sheets.map(\.parent) where parent != current {
      #expect(finished.insert(parent).inserted)
      current = parent
    }
    #expect(finished.count == pyramid.sheetColumns(6) * pyramid.sheetRows(6))
  }

  @Test("halving is the rounded mean of four")
  func halving() {
    let image = RGBImage(
      width: 4, height: 2,
      pixels: [
        0, 10, 255, 1, 20, 255, 9, 9, 9, 0, 0, 0,
        1, 30, 255, 0, 40, 255, 9, 9, 9, 0, 0, 0,
      ])
    #expect(image.halved() == RGBImage(width: 2, height: 1, pixels: [1, 25, 255, 5, 5, 5]))
  }
}
