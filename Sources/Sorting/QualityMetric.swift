import Compute
import Foundation

/// What measures arrangements: `DistancePreservationQuality` in plain Swift, and `OpenCLQuality`. Both give the same
/// bits.
public protocol QualityMetric: Sendable {
  /// DPQ16 of each of these arrangements of one set of vectors, 0 to 1; nil where it isn't defined: where all vectors
  /// are as far from each other, as two are, or equal.
  func values(of arrangements: [Arrangement]) throws(ComputeError) -> [Double]?

  /// The mean Euclidean distance of items in cells that share a side, in units of a byte; nil where no two do. Holes
  /// have no part in it.
  func meanNeighbourDistance(of arrangement: Arrangement) throws(ComputeError) -> Double?
}

/// Sums over rows of the distance to the kth neighbour: first with the neighbours in the order of their distance, then,
/// for each layout, in the order of the grid. In units of a fixed point that `MetricVectors.scale` gives.
struct DistanceSums: Equatable, Sendable {
  /// `[1 + layouts][limit]`.
  var lists: [[UInt64]]
  /// The sum of the distances of the rows to all others.
  var total: UInt64

  init(lists: Int, limit: Int) {
    self.lists = [[UInt64]](repeating: [UInt64](repeating: 0, count: limit), count: lists)
    total = 0
  }

  mutating func add(_ other: DistanceSums) {
    for list in lists.indices {
      for k in lists[list].indices { lists[list][k] += other.lists[list][k] }
    }
    total += other.total
  }
}

/// The rows of a metric, and what they say of an arrangement, given the sums.
///
/// Only the nearest neighbours count: a gain is taken to its 16th power. So a pilot of the rows is measured with all its
/// neighbours, and tells how many others need: those beyond which there is next to nothing of the sum of any list. Beyond
/// them the pilot stands for all, scaled to the sum of all distances, which is known. Where all items are rows, the
/// pilot is 256 of them and next to nothing a millionth: a tail twice or half of what the pilot says would change a
/// value by less than 10^-7; on the benchmark's data it is 10^-10. Where some are, whose choice alone changes a value by
/// about 10^-3, the pilot is 64 and next to nothing a hundredth; it is 2 * 10^-6 then.
struct QualityRows: Sendable {
  /// Items that are compared with all others, the pilot first, in random order.
  private(set) var rows: [Int32]
  let itemCount: Int
  let pilotCount: Int
  /// The share of a list's sum that may lie beyond the neighbours that count.
  private let tailShare: Double

  /// - Parameters:
  ///   - rowCount: nil for the default.
  ///   - pilotCount: nil for the default.
  init(itemCount: Int, rowCount: Int?, pilotCount: Int? = nil) {
    self.itemCount = itemCount
    let count = rowCount ?? Self.defaultCount
    let isWhole = count >= itemCount
    self.pilotCount = pilotCount ?? (isWhole ? 256 : 64)
    tailShare = isWhole ? 1e-6 : 1e-2
    let order = SeededBijection(count: max(itemCount, 1), key: 1)
    rows = (0..<min(count, itemCount)).map { Int32(order[$0]) }
  }

  /// The same with rows that lie together in an arrangement one after the other, but for the pilot: what is near to one
  /// is near to the next.
  func following(_ arrangement: Arrangement) -> QualityRows {
    guard rows.count > pilotCount else { return self }
    let places = Layout(arrangement, itemCount: itemCount).places
    // Squares of 4 x 4 cells.
    func key(_ row: Int32) -> (Int, Int, Int, Int) {
      let (y, x) = Int(places[Int(row)]).quotientAndRemainder(dividingBy: arrangement.grid.columns)
      return (y / 4, x / 4, y, x)
    }
    var ordered = self
    ordered.rows[pilotCount...].sort { key($0) < key($1) }
    return ordered
  }

  /// Rows if nothing else is asked for: a sort of the same vectors takes about as long, and the error, at 16,384 items,
  /// is about .001.
  static let defaultCount = 2_048

  /// The values of arrangements whose distances `sums` adds up.
  /// - Parameter sums: gives the sums of some of `rows` up to a number of neighbours.
  func values<Failure: Error>(
    sums: (_ rows: Range<Int>, _ limit: Int) throws(Failure) -> DistanceSums
  ) throws(Failure) -> [Double]? {
    let all = itemCount - 1
    if all < 1 || rows.isEmpty { return nil }
    if rows.count < 2 * pilotCount { return Self.values(try sums(0..<rows.count, all)) }
    let pilot = try sums(0..<pilotCount, all)
    var limit = neighboursThatCount(pilot)
    if limit > all * 3 / 4 { limit = all }
    let rest = try sums(pilotCount..<rows.count, limit)
    return Self.values(Self.sum(pilot, rest, limit: limit))
  }

  /// The first of neighbours beyond which there is next to nothing of the value of any list.
  private func neighboursThatCount(_ sums: DistanceSums) -> Int {
    let count = sums.lists[0].count
    let mean = Double(sums.total) / Double(count)
    var limit = 1
    for list in sums.lists where mean > 0 {
      let gains = Self.gains(list.map { Double($0) }, mean: mean)
      let share = gains.reduce(0, +) * tailShare
      var beyond = 0.0
      var k = count
      while k > limit, beyond + gains[k - 1] <= share {
        k -= 1
        beyond += gains[k]
      }
      limit = max(limit, k)
    }
    return min(count, limit + limit / 8)
  }

  /// The sums of all rows; beyond `limit` the pilot's stand for them.
  private static func sum(_ pilot: DistanceSums, _ rest: DistanceSums, limit: Int) -> (lists: [[Double]], total: Double)
  {
    let total = pilot.total + rest.total
    let lists = zip(pilot.lists, rest.lists).map { pilot, rest in
      let near = zip(pilot, rest).map { $0 + $1 }
      let far = pilot[limit...]
      let pilotFar = far.reduce(0, +)
      let factor = pilotFar == 0 ? 0 : Double(total - near.reduce(0, +)) / Double(pilotFar)
      return near.map { Double($0) } + far.map { Double($0) * factor }
    }
    return (lists, Double(total))
  }

  private static func values(_ sums: DistanceSums) -> [Double]? {
    values((sums.lists.map { $0.map { Double($0) } }, Double(sums.total)))
  }

  private static func values(_ sums: (lists: [[Double]], total: Double)) -> [Double]? {
    let mean = sums.total / Double(sums.lists[0].count)
    if mean == 0 { return nil }
    let norms = sums.lists.map { pow(gains($0, mean: mean).reduce(0, +), 1.0 / 16) }
    if norms[0] == 0 { return nil }
    return norms.dropFirst().map { $0 / norms[0] }
  }

  /// The gains g_k, to their 16th power.
  private static func gains(_ distances: [Double], mean: Double) -> [Double] {
    var total = 0.0
    return distances.enumerated().map { index, distance in
      total += distance
      let gain = max(0, 1 - total / Double(index + 1) / mean)
      let squared = gain * gain
      let fourth = squared * squared
      return fourth * fourth * fourth * fourth
    }
  }
}

/// Vectors as a metric measures them.
struct MetricVectors: Sendable {
  let vectors: PackedVectors
  /// Distances are whole multiples of the inverse of this, a power of two, rounded down. It leaves them below 2^28.
  let scale: Float

  init(_ vectors: PackedVectors) {
    self.vectors = vectors
    var lowest = [UInt8](repeating: 255, count: vectors.dimensions)
    var highest = [UInt8](repeating: 0, count: vectors.dimensions)
    vectors.bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<vectors.count {
        for d in 0..<vectors.dimensions {
          let byte = bytes[index * vectors.dimensions + d]
          lowest[d] = min(lowest[d], byte)
          highest[d] = max(highest[d], byte)
        }
      }
    }
    let diagonal = zip(lowest, highest).reduce(0) { $0 + ($1.1 > $1.0 ? Int($1.1 - $1.0) * Int($1.1 - $1.0) : 0) }
    let bits = Int.bitWidth - Int(Double(diagonal).squareRoot().rounded(.up)).leadingZeroBitCount
    scale = Float(1 << (28 - bits))
  }
}

/// Where each item lies on a grid, and which cells lie around a cell.
struct Layout: Sendable {
  let grid: Grid
  /// The item in each cell; `itemCount` for a hole.
  let cells: [Int32]
  /// The cell of each item.
  let places: [Int32]

  init(_ arrangement: Arrangement, itemCount: Int) {
    grid = arrangement.grid
    cells = arrangement.items.map { $0 == Arrangement.hole ? Int32(itemCount) : $0 }
    var places = [Int32](repeating: -1, count: itemCount)
    for (cell, item) in arrangement.items.enumerated() where item != Arrangement.hole {
      places[Int(item)] = Int32(cell)
    }
    self.places = places
  }
}

/// The ways from a cell to the others of its grid, by their length.
struct Rings: Sendable {
  /// Steps across and down, shortest first; the one that leads nowhere isn't among them.
  let steps: [SIMD2<Int32>]
  /// For each length that occurs, where the steps of the next one begin.
  let ends: [Int32]
  /// Steps of the length that most have.
  let largest: Int

  init(_ grid: Grid) {
    let across = Self.steps(grid.columns, grid.edges)
    let down = Self.steps(grid.rows, grid.edges)
    // The length in the high bits; the steps, counted from the first ones, fit 32.
    var keys: [(length: Int64, step: SIMD2<Int32>)] = []
    keys.reserveCapacity(across.count * down.count)
    for dy in down {
      for dx in across where dx != 0 || dy != 0 {
        keys.append((Int64(dx) * Int64(dx) + Int64(dy) * Int64(dy), SIMD2(dx, dy)))
      }
    }
    keys = Self.sorted(keys)
    steps = keys.map(\.step)
    ends = keys.indices.filter { $0 + 1 == keys.count || keys[$0].length != keys[$0 + 1].length }.map { Int32($0 + 1) }
    largest = zip(ends, [0] + ends).reduce(0) { max($0, Int($1.0 - $1.1)) }
  }

  /// By counting where that takes little memory, as on all grids but those long and narrow.
  private static func sorted(_ keys: [(length: Int64, step: SIMD2<Int32>)]) -> [(length: Int64, step: SIMD2<Int32>)] {
    guard let longest = keys.map(\.length).max(), longest <= 4 * keys.count else {
      return keys.sorted { $0.length < $1.length }
    }
    var next = [Int](repeating: 0, count: Int(longest) + 2)
    for key in keys { next[Int(key.length) + 1] += 1 }
    for length in 1..<next.count { next[length] += next[length - 1] }
    var sorted = keys
    for key in keys {
      sorted[next[Int(key.length)]] = key
      next[Int(key.length)] += 1
    }
    return sorted
  }

  /// On a torus each position once, by the shorter way; on an open axis every step that stays inside from somewhere.
  private static func steps(_ length: Int, _ edges: Grid.Edges) -> ClosedRange<Int32> {
    let length = Int32(length)
    return edges == .torus ? (-(length - 1) / 2)...(length / 2) : (1 - length)...(length - 1)
  }
}
