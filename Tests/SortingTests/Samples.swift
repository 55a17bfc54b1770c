import Testing

@testable import Sorting

/// Random numbers for tests: the same ones at each run.
struct TestRandom: RandomNumberGenerator {
  private var counter: UInt64 = 0
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  mutating func next() -> UInt64 {
    defer { counter += 1 }
    return RandomBits.number(seed: seed, counter: counter)
  }
}

extension PackedVectors {
  /// Uniformly random bytes.
  static func random(count: Int, dimensions: Int, seed: UInt64) -> PackedVectors {
    var random = TestRandom(seed: seed)
    let bytes = (0..<(count * dimensions)).map { _ in UInt8.random(in: 0...255, using: &random) }
    return PackedVectors(count: count, dimensions: dimensions, bytes: bytes)
  }

  /// Vectors in 50 clusters, in no order.
  static func clustered(count: Int, dimensions: Int, seed: UInt64) -> PackedVectors {
    var random = TestRandom(seed: seed)
    let centres = (0..<50).map { _ in (0..<dimensions).map { _ in Int.random(in: 40...215, using: &random) } }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * dimensions)
    for _ in 0..<count {
      for value in centres.randomElement(using: &random)! {
        bytes.append(UInt8(value + Int.random(in: -20...20, using: &random) + Int.random(in: -20...20, using: &random)))
      }
    }
    return PackedVectors(count: count, dimensions: dimensions, bytes: bytes)
  }

  /// The first of these vectors.
  func prefix(_ number: Int) -> PackedVectors {
    PackedVectors(count: number, dimensions: dimensions, bytes: Array(bytes[..<(number * dimensions)]))
  }
}

/// One sort of the property tests.
struct Problem: CustomTestStringConvertible, Sendable {
  let count: Int
  let dimensions: Int
  let grid: Grid
  let settings: SortingSettings

  var testDescription: String {
    "\(count) x \(dimensions) on \(grid.columns) x \(grid.rows) \(grid.edges), groups of \(settings.groupSize), "
      + "seed \(settings.seed)"
  }

  /// Random, with the holes at the end, or with a third of the items pinned, by turns.
  var start: SortingStart {
    switch settings.seed % 3 {
    case 0: return .random
    case 1: return .compact(count, on: grid, seed: settings.seed)
    default:
      let pins = Arrangement.random(count, on: grid, seed: 9).items.map { $0 % 3 == 0 ? $0 : Arrangement.hole }
      return .pinning(Arrangement(grid: grid, items: pins), count: count, seed: settings.seed)
    }
  }

  var vectors: PackedVectors { .random(count: count, dimensions: dimensions, seed: settings.seed) }

  /// Random problems of odd shapes, with and without holes, both edge modes, all group sizes.
  static func random(_ number: Int, maximumSide: Int) -> [Problem] {
    var random = TestRandom(seed: 7)
    return (0..<number).map { index in
      let columns = Int.random(in: 1...maximumSide, using: &random)
      let rows = Int.random(in: 1...maximumSide, using: &random)
      let full = columns * rows
      var settings = SortingSettings()
      settings.seed = UInt64(index)
      settings.groupSize = SortingSettings.groupSizes[index % 3]
      settings.passes = 1 + index % 2
      settings.crossSteps = index % 3
      return Problem(
        count: index % 4 == 0 ? full : Int.random(in: 0...full, using: &random),
        dimensions: [1, 3, 4, 5, 8, 9, 16, 50, 64, 114, 128].randomElement(using: &random)!,
        grid: Grid(columns: columns, rows: rows, edges: index % 2 == 0 ? .torus : .open), settings: settings)
    }
  }
}
