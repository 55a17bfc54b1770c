import Testing

@testable import Sorting

struct StartTests {
  @Test(arguments: Problem.random(20, maximumSide: 14))
  func pinnedCellsKeepWhatTheyHave(_ problem: Problem) throws {
    let start = problem.start
    let sorted = try SwiftSorter(threads: 2).sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: start)
    #expect(sorted.items.filter { $0 >= 0 }.sorted() == (0..<Int32(problem.count)).map { $0 })
    for (cell, isPinned) in (start.pinned ?? []).enumerated() where isPinned {
      #expect(sorted.items[cell] == start.arrangement!.items[cell])
    }
  }

  @Test func compactHolesStayAtTheEnd() throws {
    let grid = Grid(columns: 8, rows: 8)
    let vectors = PackedVectors.random(count: 50, dimensions: 5, seed: 1)
    let sorted = try SwiftSorter(threads: 1).sort(
      vectors, on: grid, from: .compact(50, on: grid, seed: 3))
    #expect(sorted.items[..<50].allSatisfy { $0 >= 0 } && sorted.items[50...].allSatisfy { $0 == Arrangement.hole })
  }

  @Test func fullGridsGrowAndKeepPlaces() {
    let vectors = PackedVectors.random(count: 31, dimensions: 3, seed: 1)
    let earlier = Arrangement.random(30, on: Grid(columns: 6, rows: 5), seed: 2)
    let start = SortingStart.continuing(earlier, with: vectors)
    let now = start.arrangement!
    #expect(now.grid == Grid(columns: 6, rows: 6))
    #expect(Array(now.items[..<30]) == earlier.items)
    #expect(now.items.filter { $0 >= 0 }.sorted() == Array(0..<31))
  }

  @Test(arguments: [(5, 6, 6, 6), (6, 5, 6, 6), (4, 4, 5, 4), (3, 9, 4, 9), (9, 3, 9, 4)])
  func gridsGrowOnTheirShorterSide(_ size: (Int, Int, Int, Int)) {
    for edges in Grid.Edges.allCases {
      let count = size.0 * size.1
      let vectors = PackedVectors.random(count: count + 1, dimensions: 2, seed: 1)
      let earlier = Arrangement.random(count, on: Grid(columns: size.0, rows: size.1, edges: edges), seed: 2)
      let now = SortingStart.continuing(earlier, with: vectors).arrangement!
      #expect(now.grid == Grid(columns: size.2, rows: size.3, edges: edges))
      for (cell, item) in earlier.items.enumerated() {
        #expect(now.items[cell / size.0 * size.2 + cell % size.0] == item)
      }
    }
  }

  /// A full grid, which grows, and one with room for what is new.
  @Test(arguments: [1600, 1500], Grid.Edges.allCases)
  func onePerCentMoreMovesLittle(_ count: Int, edges: Grid.Edges) throws {
    let vectors = PackedVectors.clustered(count: count * 101 / 100, dimensions: 24, seed: 3)
    let settings = SortingSettings(.balanced, dimensions: 24)
    let sorter = SwiftSorter(threads: 2)
    let before = try sorter.sort(
      vectors.prefix(count), on: Grid(columns: 40, rows: 40, edges: edges), settings: settings)
    let start = SortingStart.continuing(before, with: vectors)
    var short = settings
    short.firstRadius = 1
    let grid = start.arrangement!.grid
    let after = try sorter.sort(vectors, on: grid, settings: short, from: start)
    #expect(after.items.filter { $0 >= 0 }.sorted() == Array(0..<Int32(vectors.count)))

    let places = (Layout(before, itemCount: vectors.count).places, Layout(after, itemCount: vectors.count).places)
    func steps(_ a: Int, _ b: Int, _ length: Int) -> Int {
      edges == .torus ? min(abs(a - b), length - abs(a - b)) : abs(a - b)
    }
    let near = (0..<count).filter { item in
      let (a, b) = (Int(places.0[item]), Int(places.1[item]))
      return steps(a % 40, b % grid.columns, grid.columns) <= 2 && steps(a / 40, b / grid.columns, grid.rows) <= 2
    }
    #expect(Double(near.count) >= 0.9 * Double(count))

    let fresh = try sorter.sort(vectors, on: grid, settings: settings)
    let values = try #require(
      DistancePreservationQuality(vectors, threads: 2).values(of: [after, fresh]))
    #expect(values[0] >= values[1] - 0.01, "\(values)")
  }

  @Test func newItemsTakeTheFreeCellAmongTheirLike() {
    // Dark on the left, bright on the right, one free cell in each half; a bright item arrives.
    let bytes: [UInt8] = (0..<32).map { $0 % 8 < 4 ? 10 : 240 }
    var items = (0..<32).map { Int32($0) }
    (items[9], items[14]) = (Arrangement.hole, Arrangement.hole)
    let vectors = PackedVectors(count: 31, dimensions: 1, bytes: Array(bytes[..<9] + bytes[10...]))
    let renumbered = items.map { $0 == Arrangement.hole ? $0 : $0 > 9 ? $0 - 1 : $0 }
    let earlier = Arrangement(grid: Grid(columns: 8, rows: 4, edges: .open), items: renumbered)
    let start = SortingStart.continuing(earlier, with: vectors)
    #expect(start.arrangement!.items[14] == 13 && start.arrangement!.items[9] == Arrangement.hole)
  }

  @Test func vanishedItemsLeaveHoles() {
    let vectors = PackedVectors.random(count: 10, dimensions: 2, seed: 1)
    let earlier = Arrangement(
      grid: Grid(columns: 4, rows: 3), items: [0, 1, -1, 2, 3, 4, -1, 5, 6, 7, 8, 9])
    #expect(SortingStart.continuing(earlier, with: vectors).arrangement == earlier)
  }
}
