import Features
import Foundation
import Imaging
import Sorting
import TestSupport
import Testing

@testable import Atlas

@Suite("The order for other programs")
struct ExportTests {
  private static let sizes = [(1, 1), (1, 7), (7, 1), (2, 2), (8, 8), (5, 3), (13, 11), (6, 31), (40, 9)]

  @Test("paths go through every cell once, from neighbour to neighbour", arguments: CellPath.allCases, sizes)
  func paths(path: CellPath, size: (columns: Int, rows: Int)) {
    let cells = path.cells(of: Grid(columns: size.columns, rows: size.rows))
    #expect(cells.sorted() == Array(0..<size.columns * size.rows))
    var diagonal = 0
    for (one, next) in zip(cells, cells.dropFirst()) {
      let across = abs(one % size.columns - next % size.columns)
      let down = abs(one / size.columns - next / size.columns)
      #expect(max(across, down) == 1)
      if across + down == 2 { diagonal += 1 }
    }
    #expect(diagonal <= (path == .snake ? 0 : 1))
  }

  @Test("what is near on the Hilbert path is near on the map")
  func locality() {
    func spread(_ path: CellPath) -> Double {
      let cells = path.cells(of: Grid(columns: 64, rows: 64))
      let distances = zip(cells, cells.dropFirst(64)).map { one, other in
        hypot(Double(one % 64 - other % 64), Double(one / 64 - other / 64))
      }
      return distances.sorted()[distances.count * 9 / 10]
    }
    #expect(spread(.hilbert) < 16)
  }

  @Test("every format says the same, whatever the names hold")
  func formats() throws {
    try Locations.withTemporaryFolder { folder in
      let map = BytePath(folder.path).appending("map")
      let names: [[UInt8]] =
        ["a b", "quote\"d", "comma,", "line\nend", "é", "tab\t"].map { Array($0.utf8) } + [[0x78, 0xFF]]
      let contents = try SampleMap.contents(columns: 3, rows: 3, holes: 2) { BytePath("/p").appending(names[$0]) }
      var writer = MapWriter(destination: map)
      writer.exports = MapExport.allCases
      writer.path = .hilbert
      writer.pictureFormat = .jpeg
      try writer.write(contents)
      #expect(try TestFiles.picture(map.appending("map.jpg")).width == 3 * 128)
      let expected = contents.entries(along: .hilbert).map(\.picture.path.bytes)
      #expect(expected.count == 7)

      let zeros = try TestFiles.bytes(map.appending("order.list0")).split(separator: 0).map(Array.init)
      #expect(zeros == expected)
      #expect(try TestFiles.bytes(map.appending("order.txt")) == expected.flatMap { $0 + [0x0A] })
      let grid = try NPYArray(parsing: TestFiles.bytes(map.appending("order.npy")), name: "order.npy")
      #expect(grid.shape == [3, 3] && grid.integers == contents.arrangement.items.map(Int.init))
      let csv = try TestFiles.bytes(map.appending("order.csv"))
      for path in expected {
        let quoted: [UInt8] =
          [0x22] + path.flatMap { (byte: UInt8) -> [UInt8] in byte == 0x22 ? [0x22, 0x22] : [byte] } + [0x22]
        #expect(csv.firstRange(of: quoted) != nil)
      }
      struct Entry: Decodable {
        let column: Int
        let row: Int
        let path: String
        let path_base64: String?
      }
      let json = try JSONDecoder().decode([Entry].self, from: Data(TestFiles.bytes(map.appending("order.json"))))
      #expect(
        json.map { $0.path_base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array($0.path.utf8) }
          == expected)

      // The next map has none of them.
      try MapWriter(destination: map).write(contents)
      #expect(try TestFiles.names(map).sorted() == (MapFolder.necessaryEntries + ["map.png"]).sorted())
    }
  }

  @Test("links lead to the pictures in order, replace those of before, and nothing else")
  func links() throws {
    try Locations.withTemporaryFolder { folder in
      let links = BytePath(folder.path).appending("links")
      let long = [UInt8](repeating: 0x78, count: 251) + Array(".jpg".utf8)
      let contents = try SampleMap.contents(columns: 3, rows: 2) {
        BytePath("/p").appending($0 == 0 ? long : [0x61 + UInt8($0)])
      }
      func targets() throws -> [[UInt8]] {
        try TestFiles.names(links).filter { $0 != ".kiano-links" }.sorted().map { name in
          let path = links.appending(name)
          var buffer = [CChar](repeating: 0, count: 4096)
          let count = path.withCString { readlink($0, &buffer, buffer.count) }
          return buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }
        }
      }
      try LinkFolder(links, order: .snake).write(contents)
      #expect(try targets() == contents.entries(along: .snake).map(\.picture.path.bytes))
      #expect(try TestFiles.names(links).allSatisfy { $0.utf8.count <= 255 })
      try LinkFolder(links, order: .hilbert).write(contents)
      #expect(try targets() == contents.entries(along: .hilbert).map(\.picture.path.bytes))
      try TestFiles.make(links.appending("mine.txt"), content: "keep")
      #expect(throws: AtlasError(links, .notLinks)) { try LinkFolder(links, order: .snake).write(contents) }
      #expect(try TestFiles.text(links.appending("mine.txt")) == "keep")
      #expect(try TestFiles.names(BytePath(folder.path)) == ["links"])
    }
  }

  @Test("a folder of links that somebody else made is left alone, whatever their names")
  func foreignLinks() throws {
    try Locations.withTemporaryFolder { folder in
      let links = BytePath(folder.path).appending("links")
      let contents = try SampleMap.contents(columns: 3, rows: 2) { BytePath("/p").appending([0x61 + UInt8($0)]) }
      try FileManager.default.createDirectory(atPath: "\(folder.path)/links", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/links/000001-a", withDestinationPath: "/elsewhere")
      #expect(throws: AtlasError(links, .notLinks)) { try LinkFolder(links, order: .snake).check() }
      #expect(throws: AtlasError(links, .notLinks)) { try LinkFolder(links, order: .snake).write(contents) }
      #expect(try TestFiles.names(links) == ["000001-a"])
      // An empty folder holds nothing that could be lost.
      try FileManager.default.removeItem(atPath: "\(folder.path)/links/000001-a")
      try LinkFolder(links, order: .snake).write(contents)
      #expect(try TestFiles.names(links).count == contents.entries(along: .snake).count + 1)
    }
  }
}
