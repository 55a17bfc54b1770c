import Foundation
import Testing

@testable import Sorting

struct QualityTests {
  @Test func perfectLineHasTheValueOfTheFormula() throws {
    // Five numbers in order on an open line: on the grid each item's neighbours come as in feature space.
    let vectors = PackedVectors(count: 5, dimensions: 1, bytes: [0, 10, 20, 30, 40])
    let line = Arrangement(grid: Grid(columns: 5, rows: 1, edges: .open), items: [0, 1, 2, 3, 4])
    let swapped = Arrangement(grid: line.grid, items: [0, 1, 2, 4, 3])
    let values = try #require(DistancePreservationQuality(vectors, threads: 1).values(of: [line, swapped]))
    #expect(abs(values[0] - 1) < 1e-12)
    #expect(abs(values[1] - byDefinition(vectors, swapped)) < 1e-7 && values[1] < 1)
  }

  @Test(arguments: [Grid.Edges.torus, .open])
  func agreesWithTheDefinition(_ edges: Grid.Edges) throws {
    for (columns, rows, count) in [(6, 5, 30), (7, 6, 33), (1, 12, 12), (2, 2, 4), (9, 4, 20)] {
      let vectors = PackedVectors.random(count: count, dimensions: 3, seed: UInt64(count))
      let grid = Grid(columns: columns, rows: rows, edges: edges)
      let arrangement = Arrangement.random(count, on: grid, seed: 4)
      let value = try #require(DistancePreservationQuality(vectors, threads: 3).values(of: [arrangement]))[0]
      #expect(abs(value - byDefinition(vectors, arrangement)) < 1e-7)
    }
  }

  @Test func threadsDoNotMatter() {
    let vectors = PackedVectors.random(count: 300, dimensions: 5, seed: 1)
    let arrangement = Arrangement.random(300, on: Grid(fitting: 300), seed: 2)
    let one = DistancePreservationQuality(vectors, threads: 1).values(of: [arrangement])
    #expect(DistancePreservationQuality(vectors, threads: 7).values(of: [arrangement]) == one)
  }

  @Test func samplingIsCloseToTheWhole() throws {
    let vectors = PackedVectors.random(count: 1024, dimensions: 3, seed: 1)
    let sorted = try SwiftSorter(threads: 2).sort(vectors, on: Grid(fitting: 1024))
    let whole = try #require(DistancePreservationQuality(vectors, threads: 2).values(of: [sorted]))[0]
    let sampled = try #require(DistancePreservationQuality(vectors, rowCount: 512, threads: 2).values(of: [sorted]))[0]
    #expect(abs(whole - sampled) < 0.01)
    #expect(whole > 0.8)
  }

  @Test(arguments: [1, 3, 16])
  func farNeighboursDoNotCount(_ dimensions: Int) throws {
    let vectors = PackedVectors.random(count: 1500, dimensions: dimensions, seed: 5)
    let sorted = try SwiftSorter(threads: 2).sort(vectors, on: Grid(fitting: 1500))
    let random = Arrangement.random(1500, on: sorted.grid, seed: 1)
    func values(pilot: Int) throws -> [Double] {
      let rows = QualityRows(itemCount: 1500, rowCount: nil, pilotCount: pilot)
      return try #require(DistancePreservationQuality(vectors, rows: rows, threads: 2).values(of: [sorted, random]))
    }
    for (whole, short) in zip(try values(pilot: 1500), try values(pilot: 100)) {
      #expect(abs(whole - short) < 1e-6)
    }
  }

  @Test(arguments: [1, 3, 16])
  func farNeighboursOfSampledRowsHardlyCount(_ dimensions: Int) throws {
    let vectors = PackedVectors.random(count: 1500, dimensions: dimensions, seed: 5)
    let sorted = try SwiftSorter(threads: 2).sort(vectors, on: Grid(fitting: 1500))
    func value(pilot: Int?) throws -> Double {
      let rows = QualityRows(itemCount: 1500, rowCount: 700, pilotCount: pilot)
      return try #require(DistancePreservationQuality(vectors, rows: rows, threads: 2).values(of: [sorted]))[0]
    }
    #expect(abs(try value(pilot: nil) - value(pilot: 700)) < 1e-4)
  }

  @Test func neighbourDistanceIsTheMeanOfPairs() throws {
    // 0 - 30 - hole / 40 - 80 - 50 on an open grid: 30, 40, 40, 50 and 30 apart.
    let vectors = PackedVectors(count: 5, dimensions: 1, bytes: [0, 30, 40, 80, 50])
    let open = Arrangement(grid: Grid(columns: 3, rows: 2, edges: .open), items: [0, 1, -1, 2, 3, 4])
    let metric = DistancePreservationQuality(vectors, threads: 1)
    #expect(abs(try #require(metric.meanNeighbourDistance(of: open)) - 190.0 / 5) < 1e-4)
    // The torus adds the pair of 40 and 50 across its edge.
    let torus = Arrangement(grid: Grid(columns: 3, rows: 2), items: open.items)
    #expect(abs(try #require(metric.meanNeighbourDistance(of: torus)) - 200.0 / 6) < 1e-4)
    let single = Arrangement(grid: Grid(columns: 3, rows: 3), items: [0, -1, -1, -1, -1, -1, -1, -1, -1])
    #expect(metric.meanNeighbourDistance(of: single) == nil)
  }

  @Test func isUndefinedWhereNothingDiffers() {
    let equal = PackedVectors(count: 9, dimensions: 1, bytes: [UInt8](repeating: 7, count: 9))
    let grid = Grid(columns: 3, rows: 3)
    #expect(DistancePreservationQuality(equal, threads: 1).values(of: [.random(9, on: grid, seed: 0)]) == nil)
    let two = PackedVectors(count: 2, dimensions: 1, bytes: [0, 9])
    #expect(DistancePreservationQuality(two, threads: 1).values(of: [.random(2, on: grid, seed: 0)]) == nil)
  }

  /// The metric as the paper writes it, from sorted lists.
  private func byDefinition(_ vectors: PackedVectors, _ arrangement: Arrangement) -> Double {
    let n = vectors.count
    let grid = arrangement.grid
    let cells = (0..<n).map { item in arrangement.items.firstIndex(of: Int32(item))! }
    func feature(_ a: Int, _ b: Int) -> Double {
      var sum = 0
      for (x, y) in zip(vectors[a], vectors[b]) { sum += (Int(x) - Int(y)) * (Int(x) - Int(y)) }
      return Double(sum).squareRoot()
    }
    func axis(_ a: Int, _ b: Int, _ length: Int) -> Int {
      grid.edges == .torus ? min(abs(a - b), length - abs(a - b)) : abs(a - b)
    }
    func spatial(_ a: Int, _ b: Int) -> Int {
      let dx = axis(cells[a] % grid.columns, cells[b] % grid.columns, grid.columns)
      let dy = axis(cells[a] / grid.columns, cells[b] / grid.columns, grid.rows)
      return dx * dx + dy * dy
    }
    func norm(_ order: (Int) -> [Double], mean: Double) -> Double {
      let rows = (0..<n).map(order)
      var sum = 0.0
      for k in 1..<n {
        var distance = 0.0
        for row in rows { distance += row[..<k].reduce(0, +) / Double(k * n) }
        sum += pow(max(0, 1 - distance / mean), 16)
      }
      return pow(sum, 1.0 / 16)
    }
    func others(_ a: Int) -> [Int] { (0..<n).filter { $0 != a } }
    let distances = (0..<n).flatMap { a in others(a).map { feature(a, $0) } }
    let mean = distances.reduce(0, +) / Double(distances.count)
    let best = norm({ a in others(a).map { feature(a, $0) }.sorted() }, mean: mean)
    func around(_ a: Int) -> [Double] {
      let pairs: [(Int, Double)] = others(a).map { (spatial(a, $0), feature(a, $0)) }
      return pairs.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map { $0.1 }
    }
    let map = norm(around, mean: mean)
    return map / best
  }
}
