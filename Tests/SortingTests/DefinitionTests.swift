import Testing

@testable import Sorting

struct DefinitionTests {
  @Test func crossIsTheMeanOfTheCellAndItsNeighbours() {
    for (columns, rows) in [(1, 1), (2, 2), (1, 5), (3, 3), (7, 4)] {
      for edges in Grid.Edges.allCases {
        let grid = Grid(columns: columns, rows: rows, edges: edges)
        let vectors = PackedVectors.random(count: max(1, grid.cellCount - 2), dimensions: 3, seed: 5)
        let map = WorkingMap(plan: SortingPlan(vectors: vectors, grid: grid, settings: SortingSettings()))
        map.filter(.cross, threads: 2)
        for y in 0..<rows {
          for x in 0..<columns {
            let across = window(x, columns, 1, edges).map { y * columns + $0 }
            let down = window(y, rows, 1, edges).map { $0 * columns + x }
            let items = Set(across + down).map { Int(map.cells[$0]) }.filter { $0 != map.plan.hole }
            for d in 0..<3 {
              let sum = items.map { Int(vectors.bytes[$0 * 3 + d]) }.reduce(0, +)
              let expected =
                items.isEmpty ? Int(map.plan.fallback[d]) : (16 * sum + items.count / 2) / items.count
              #expect(Int(map.filtered[(y * columns + x) * map.plan.dimensions + d]) == expected)
            }
          }
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 5, 16, 17, 100, 1000, 4096])
  func bijectionHitsEachNumberOnce(_ count: Int) {
    for key in [UInt32(0), 1, .max] {
      let order = SeededBijection(count: count, key: key)
      #expect(Set((0..<count).map { order[$0] }) == Set(0..<count))
    }
  }

  @Test(arguments: Problem.random(30, maximumSide: 30))
  func everyCellIsInOneBlock(_ problem: Problem) {
    for pass in Schedule(grid: problem.grid, settings: problem.settings).steps.flatMap(\.passes) {
      for (blocks, length) in [(pass.columns, problem.grid.columns), (pass.rows, problem.grid.rows)] {
        let covered = blocks.flatMap { block in (0..<block.length).map { (block.start + $0) % length } }
        #expect(covered.sorted() == Array(0..<length))
      }
    }
  }

  @Test func fittingGridHasRoomAndTheShapeAskedFor() {
    for count in 0...3000 {
      let grid = Grid(fitting: count)
      #expect(grid.cellCount >= count && grid.cellCount - count < max(grid.columns, 1))
    }
    #expect(Grid(fitting: 4096) == Grid(columns: 64, rows: 64))
    #expect(Grid(fitting: 250).cellCount <= 255)
    #expect(Grid(fitting: 2) == Grid(columns: 2, rows: 1))
    let wide = Grid(fitting: 10_000, aspect: 4)
    #expect((3.0...5.1).contains(Double(wide.columns) / Double(wide.rows)))
    #expect(Grid(fitting: 10, aspect: 100) == Grid(columns: 10, rows: 1))
  }

  @Test func blocksMoveFromPassToPass() {
    let schedule = Schedule(grid: Grid(columns: 64, rows: 64), settings: SortingSettings())
    let offsets = schedule.steps.flatMap(\.passes).map { [$0.columns[0].start, $0.rows[0].start] }
    #expect(Set(offsets).count > offsets.count * 3 / 4)
  }

  @Test func radiusShrinksToOne() {
    let schedule = Schedule(grid: Grid(columns: 64, rows: 32), settings: SortingSettings())
    #expect(schedule.steps.first?.window == .box(radius: 32))
    #expect(schedule.steps.last?.window == .box(radius: 1))
  }

  @Test func shiftKeepsPathLengthsInRange() {
    for groupSize in SortingSettings.groupSizes {
      for dimensions in [1, 3, 64, 128] {
        let shift = SortingPlan.shift(dimensions: dimensions, groupSize: groupSize)
        #expect(3 * ((dimensions * 4080 * 4080) >> shift) * groupSize < 1 << 31)
      }
    }
  }

  @Test(arguments: [(1, 1), (3, 8), (7, 7), (8, 3), (16, 5)], [0, 1, 2, 3, 9])
  func boxFilterIsTheMeanOfTheWindow(_ size: (Int, Int), radius: Int) {
    for edges in Grid.Edges.allCases {
      for missing in [0, 1, size.0 * size.1 / 2] {
        let grid = Grid(columns: size.0, rows: size.1, edges: edges)
        let vectors = PackedVectors.random(count: max(grid.cellCount - missing, 0), dimensions: 3, seed: 3)
        let map = WorkingMap(plan: SortingPlan(vectors: vectors, grid: grid, settings: SortingSettings()))
        BoxFilter(map: map, radius: radius).run(threads: 2)
        for y in 0..<grid.rows {
          for x in 0..<grid.columns {
            let cells = window(x, grid.columns, radius, edges).flatMap { column in
              window(y, grid.rows, radius, edges).map { $0 * grid.columns + column }
            }
            let items = cells.map { Int(map.cells[$0]) }.filter { $0 != map.plan.hole }
            let expected = (0..<3).map { d in
              items.isEmpty
                ? Int(map.plan.fallback[d])
                : (16 * items.map { Int(vectors.bytes[$0 * 3 + d]) }.reduce(0, +) + items.count / 2) / items.count
            }
            let cell = (y * grid.columns + x) * map.plan.dimensions
            #expect((0..<3).map { Int(map.filtered[cell + $0]) } == expected)
          }
        }
      }
    }
  }

  /// Each position that a window of this radius covers, once.
  private func window(_ position: Int, _ length: Int, _ radius: Int, _ edges: Grid.Edges) -> Set<Int> {
    let all = (position - radius)...(position + radius)
    return edges == .open
      ? Set(all.filter { $0 >= 0 && $0 < length })
      : Set(all.map { ($0 % length + length) % length })
  }
}
