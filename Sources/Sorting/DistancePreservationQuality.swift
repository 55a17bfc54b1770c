import Dispatch
import Foundation

/// How well an arrangement keeps what is alike together: the distance preservation quality DPQ_p with p = 16 (Barthel,
/// Hezel, Jung & Schall 2023, section 4).
///
/// For each k, D_k is the mean Euclidean distance of an item to its k nearest on the grid, items at the same distance on
/// the grid being taken in the order of their feature distance; g_k = max(0, 1 - D_k / D), with D the mean distance of
/// all pairs, is the gain. DPQ is |g|_16 of the arrangement over |g|_16 of the k nearest in feature space. Values of
/// different data sets can't be compared, and a random arrangement is far from 0.
public struct DistancePreservationQuality: Sendable {
  /// Up to this many items all of them are rows; above, `sampleCount` are.
  public static let exactLimit = 16_384
  /// Rows where not all items are; the error was below .002 at 4,096 items.
  public static let sampleCount = 2_048

  private let vectors: PackedVectors
  private let rows: [Int]
  private let threads: Int

  /// A metric for these vectors.
  /// - Parameters:
  ///   - rowCount: how many items, chosen at random from a fixed seed, are compared with all others; nil for the
  ///     default.
  ///   - threads: how many threads share the work; the values don't depend on it.
  public init(_ vectors: PackedVectors, rowCount: Int? = nil, threads: Int) {
    self.vectors = vectors
    self.threads = max(1, threads)
    let count = rowCount ?? (vectors.count <= Self.exactLimit ? vectors.count : Self.sampleCount)
    let order = SeededBijection(count: max(vectors.count, 1), key: 1)
    rows = count >= vectors.count ? Array(0..<vectors.count) : (0..<count).map { order[$0] }
  }

  /// The quality of each arrangement of these vectors, 0 to 1; nil where it isn't defined: where all items are
  /// as far from each other, as two are, or equal.
  public func values(of arrangements: [Arrangement]) -> [Double]? {
    if vectors.count < 2 { return nil }
    let layouts = arrangements.map { Layout($0, itemCount: vectors.count) }
    // A fixed number of pieces, added up in order: so rounding doesn't depend on the number of threads.
    let pieces = min(rows.count, 32)
    let sums = UnsafeMutableBufferPointer<DistanceSums?>.allocate(capacity: pieces)
    sums.initialize(repeating: nil)
    defer { sums.deinitialize().deallocate() }
    nonisolated(unsafe) let results = sums
    DispatchQueue.concurrentPerform(iterations: min(threads, pieces)) { thread in
      for piece in stride(from: thread, to: pieces, by: min(threads, pieces)) {
        results[piece] = DistanceSums(
          vectors, rows: rows[(piece * rows.count / pieces)..<((piece + 1) * rows.count / pieces)], layouts: layouts)
      }
    }
    let total = sums.compactMap { $0 }.reduce(into: DistanceSums(itemCount: vectors.count, layouts: layouts.count)) {
      $0.add($1)
    }
    let mean = total.features.reduce(0, +) / Double(total.features.count)
    if mean == 0 { return nil }
    let best = Self.gainNorm(total.features, mean: mean)
    if best == 0 { return nil }
    return total.layouts.map { Self.gainNorm($0, mean: mean) / best }
  }

  /// |g|_16 from the sums, over all rows, of the distance to the kth neighbour.
  private static func gainNorm(_ neighbours: [Double], mean: Double) -> Double {
    var total = 0.0
    var sum = 0.0
    for (index, distance) in neighbours.enumerated() {
      total += distance
      let gain = max(0, 1 - total / Double(index + 1) / mean)
      let squared = gain * gain
      let fourth = squared * squared
      sum += fourth * fourth * fourth * fourth
    }
    return pow(sum, 1.0 / 16)
  }
}

/// Where each item lies, and which cells lie around a cell, from the nearest outwards.
private struct Layout: Sendable {
  let grid: Grid
  let items: [Int32]
  let cellOfItem: [Int32]
  /// Steps to other cells, in the order of their length on the grid.
  let steps: [(dx: Int32, dy: Int32, squaredLength: Int32)]

  init(_ arrangement: Arrangement, itemCount: Int) {
    grid = arrangement.grid
    items = arrangement.items
    var cells = [Int32](repeating: -1, count: itemCount)
    for (cell, item) in arrangement.items.enumerated() where item != Arrangement.hole { cells[Int(item)] = Int32(cell) }
    cellOfItem = cells
    let across = Self.steps(grid.columns, grid.edges)
    let down = Self.steps(grid.rows, grid.edges)
    steps = down.flatMap { dy in across.map { dx in (dx, dy, dx * dx + dy * dy) } }
      .sorted { $0.squaredLength < $1.squaredLength }
  }

  /// On a torus each position once, by the shorter way; on an open axis every step that stays inside from somewhere.
  private static func steps(_ length: Int, _ edges: Grid.Edges) -> ClosedRange<Int32> {
    let length = Int32(length)
    return edges == .torus ? (-(length - 1) / 2)...(length / 2) : (1 - length)...(length - 1)
  }
}

/// Sums, over rows, of the distance to the kth neighbour, k = 1 ..< itemCount.
private struct DistanceSums: Sendable {
  var features: [Double]
  var layouts: [[Double]]

  init(itemCount: Int, layouts: Int) {
    features = [Double](repeating: 0, count: itemCount - 1)
    self.layouts = [[Double]](repeating: features, count: layouts)
  }

  init(_ vectors: PackedVectors, rows: ArraySlice<Int>, layouts: [Layout]) {
    self.init(itemCount: vectors.count, layouts: layouts.count)
    var squares = [Int32](repeating: 0, count: vectors.count)
    var sorter = RadixSorter(count: vectors.count - 1)
    var ring: [Int32] = []
    for row in rows {
      Self.squaredDistances(from: row, vectors, into: &squares)
      sorter.sort(squares, without: row)
      for k in features.indices { features[k] += Double(sorter.sorted[k]).squareRoot() }
      for (index, layout) in layouts.enumerated() {
        Self.addNeighbours(of: row, layout, squares, ring: &ring, to: &self.layouts[index])
      }
    }
  }

  mutating func add(_ other: DistanceSums) {
    for k in features.indices { features[k] += other.features[k] }
    for index in layouts.indices {
      for k in features.indices { layouts[index][k] += other.layouts[index][k] }
    }
  }

  private static func squaredDistances(from row: Int, _ vectors: PackedVectors, into squares: inout [Int32]) {
    let dimensions = vectors.dimensions
    vectors.bytes.withUnsafeBufferPointer { bytes in
      squares.withUnsafeMutableBufferPointer { squares in
        let a = bytes.baseAddress! + row * dimensions
        for index in 0..<squares.count {
          let b = bytes.baseAddress! + index * dimensions
          var sum: Int32 = 0
          for d in 0..<dimensions {
            let difference = Int32(Int16(a[d]) - Int16(b[d]))
            sum &+= difference &* difference
          }
          squares[index] = sum
        }
      }
    }
  }

  /// Adds the distances of the other items in the order in which they lie around `row`'s cell.
  private static func addNeighbours(
    of row: Int, _ layout: Layout, _ squares: [Int32], ring: inout [Int32], to sums: inout [Double]
  ) {
    let (columns, rows) = (Int32(layout.grid.columns), Int32(layout.grid.rows))
    let (y, x) = layout.cellOfItem[row].quotientAndRemainder(dividingBy: columns)
    let wraps = layout.grid.edges == .torus
    var k = 0
    var length: Int32 = 0
    func flush() {
      ring.sort()
      for square in ring {
        sums[k] += Double(square).squareRoot()
        k += 1
      }
      ring.removeAll(keepingCapacity: true)
    }
    for step in layout.steps {
      var (cellX, cellY) = (x + step.dx, y + step.dy)
      if wraps {
        if cellX < 0 { cellX += columns } else if cellX >= columns { cellX -= columns }
        if cellY < 0 { cellY += rows } else if cellY >= rows { cellY -= rows }
      } else if cellX < 0 || cellX >= columns || cellY < 0 || cellY >= rows {
        continue
      }
      let item = layout.items[Int(cellY * columns + cellX)]
      if item == Arrangement.hole || item == Int32(row) { continue }
      if step.squaredLength != length {
        flush()
        length = step.squaredLength
      }
      ring.append(squares[Int(item)])
    }
    flush()
  }
}

/// Sorts squared distances: they are below 2^24, so two passes of 12 bits do.
private struct RadixSorter {
  private(set) var sorted: [Int32]
  private var half: [Int32]

  init(count: Int) {
    sorted = [Int32](repeating: 0, count: count)
    half = sorted
  }

  /// Fills `sorted` with all values but the one at `excluded`.
  mutating func sort(_ values: [Int32], without excluded: Int) {
    var low = [Int](repeating: 0, count: 4097)
    var high = low
    for value in values {
      low[Int(value & 4095) + 1] += 1
      high[Int(value >> 12) + 1] += 1
    }
    low[Int(values[excluded] & 4095) + 1] -= 1
    high[Int(values[excluded] >> 12) + 1] -= 1
    for digit in 1..<4097 {
      low[digit] += low[digit - 1]
      high[digit] += high[digit - 1]
    }
    for (index, value) in values.enumerated() where index != excluded {
      half[low[Int(value & 4095)]] = value
      low[Int(value & 4095)] += 1
    }
    for value in half {
      sorted[high[Int(value >> 12)]] = value
      high[Int(value >> 12)] += 1
    }
  }
}
