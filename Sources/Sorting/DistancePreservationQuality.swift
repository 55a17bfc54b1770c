import Dispatch

/// How well an arrangement keeps what is alike together: the distance preservation quality DPQ_p with p = 16 (Barthel,
/// Hezel, Jung & Schall 2023, section 4), in plain Swift.
///
/// For each k, D_k is the mean Euclidean distance of an item to its k nearest on the grid, items at the same distance on
/// the grid being taken in the order of their feature distance; g_k = max(0, 1 - D_k / D), with D the mean distance of
/// all pairs, is the gain. DPQ is |g|_16 of the arrangement over |g|_16 of the k nearest in feature space. Values of
/// different data sets can't be compared, and a random arrangement is far from 0.
public struct DistancePreservationQuality: QualityMetric {
  private let vectors: PackedVectors
  private let rows: QualityRows
  private let threads: Int

  /// A metric for these vectors.
  /// - Parameters:
  ///   - rowCount: how many items, chosen at random from a fixed seed, are compared with all others; nil for the
  ///     default.
  ///   - threads: how many threads share the work; the values don't depend on it.
  public init(_ vectors: PackedVectors, rowCount: Int? = nil, threads: Int) {
    self.init(vectors, rows: QualityRows(itemCount: vectors.count, rowCount: rowCount), threads: threads)
  }

  init(_ vectors: PackedVectors, rows: QualityRows, threads: Int) {
    self.vectors = vectors
    self.rows = rows
    self.threads = max(1, threads)
  }

  /// See `QualityMetric`.
  public func values(of arrangements: [Arrangement]) -> [Double]? {
    if vectors.count < 2 { return nil }
    let summation = SwiftDistanceSummation(vectors, arrangements, threads: threads)
    return rows.values { summation.sums(rows.rows[$0], limit: $1) }
  }

  /// See `QualityMetric`.
  public func meanNeighbourDistance(of arrangement: Arrangement) -> Double? {
    let vectors = MetricVectors(vectors)
    return arrangement.neighbourSum(vectors).mean(vectors.scale)
  }
}

/// Adds up the distances of rows to their neighbours on the threads of this processor.
struct SwiftDistanceSummation: Sendable {
  let vectors: MetricVectors
  let layouts: [(layout: Layout, rings: Rings)]
  let threads: Int
  /// `[(count + 7) / 8][dimensions]`: eight vectors beside each other.
  private let items: [SIMD8<Float>]
  private let squares: [SIMD8<Float>]

  init(_ vectors: PackedVectors, _ arrangements: [Arrangement], threads: Int) {
    self.vectors = MetricVectors(vectors)
    self.threads = threads
    layouts = arrangements.map { (Layout($0, itemCount: vectors.count), Rings($0.grid)) }
    let dimensions = vectors.dimensions
    var items = [SIMD8<Float>](repeating: .zero, count: (vectors.count + 7) / 8 * dimensions)
    items.withUnsafeMutableBytes { items in
      let floats = items.bindMemory(to: Float.self)
      vectors.bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<vectors.count {
          for d in 0..<dimensions {
            floats[(index / 8 * dimensions + d) * 8 + index % 8] = Float(bytes[index * dimensions + d])
          }
        }
      }
    }
    self.items = items
    squares = stride(from: 0, to: items.count, by: dimensions).map { start in
      items[start..<(start + dimensions)].reduce(.zero) { $0 + $1 * $1 }
    }
  }

  func sums(_ rows: ArraySlice<Int32>, limit: Int) -> DistanceSums {
    let threads = min(threads, (rows.count + 3) / 4)
    let parts = UnsafeMutableBufferPointer<DistanceSums?>.allocate(capacity: threads)
    parts.initialize(repeating: nil)
    defer { parts.deinitialize().deallocate() }
    nonisolated(unsafe) let results = parts
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var worker = Worker(self, limit: limit)
      for first in stride(from: rows.startIndex + 4 * thread, to: rows.endIndex, by: 4 * threads) {
        worker.add(rows[first..<min(first + 4, rows.endIndex)])
      }
      results[thread] = worker.sums
    }
    return parts.compactMap { $0 }.reduce(into: DistanceSums(lists: layouts.count + 1, limit: limit)) { $0.add($1) }
  }

  /// What one thread needs.
  private struct Worker {
    let summation: SwiftDistanceSummation
    let limit: Int
    var sums: DistanceSums
    /// Squared distances of four rows to all items.
    private var block: [Float]
    private var squares: [Int32]
    private var list: [Int32] = []
    private let sorter = RadixSorter()

    init(_ summation: SwiftDistanceSummation, limit: Int) {
      self.summation = summation
      self.limit = limit
      sums = DistanceSums(lists: summation.layouts.count + 1, limit: limit)
      block = [Float](repeating: 0, count: 4 * summation.squares.count * 8)
      squares = [Int32](repeating: 0, count: summation.vectors.vectors.count + 1)
    }

    mutating func add(_ rows: ArraySlice<Int32>) {
      fillBlock(rows)
      for (index, row) in rows.enumerated() {
        takeRow(index)
        squares[Int(row)] = Self.absent
        squares[squares.count - 1] = Self.absent
        addNearest()
        for index in summation.layouts.indices { addSurroundings(of: Int(row), index) }
      }
    }

    /// The squared distances of one of the block's rows, and the sum of its distances.
    private mutating func takeRow(_ index: Int) {
      let start = index * summation.squares.count * 8
      let (scale, count) = (summation.vectors.scale, squares.count - 1)
      var total: UInt64 = 0
      block.withUnsafeBufferPointer { block in
        squares.withUnsafeMutableBufferPointer { squares in
          // Four at a time, which the compiler makes vectors of.
          var item = 0
          while item + 4 <= count {
            let four = SIMD4(
              block[start + item], block[start + item + 1], block[start + item + 2], block[start + item + 3])
            let roots = four.squareRoot() * scale
            for lane in 0..<4 {
              squares[item + lane] = four[lane].wholeNumber
              total &+= UInt64(UInt32(bitPattern: roots[lane].wholeNumber))
            }
            item += 4
          }
          for item in item..<count {
            squares[item] = block[start + item].wholeNumber
            total &+= UInt64(UInt32(bitPattern: (block[start + item].squareRoot() * scale).wholeNumber))
          }
        }
      }
      sums.total &+= total
    }

    /// What stands for the distance of a row to itself, or to a hole.
    private static let absent = Int32.max

    /// Products are summed in floats, exactly: no sum passes 2^24.
    private mutating func fillBlock(_ rows: ArraySlice<Int32>) {
      let dimensions = summation.vectors.vectors.dimensions
      let groups = summation.squares.count
      let bytes = summation.vectors.vectors.bytes
      var own = [SIMD4<Float>](repeating: .zero, count: dimensions)
      for d in 0..<dimensions {
        for lane in 0..<4 {
          own[d][lane] = Float(bytes[Int(rows[min(rows.startIndex + lane, rows.endIndex - 1)]) * dimensions + d])
        }
      }
      let ownSquares = own.reduce(.zero) { $0 + $1 * $1 }
      block.withUnsafeMutableBytes { block in
        let block = block.bindMemory(to: SIMD8<Float>.self)
        summation.items.withUnsafeBufferPointer { items in
          own.withUnsafeBufferPointer { own in
            for group in 0..<groups {
              let items = items.baseAddress! + group * dimensions
              var (a, b, c, d) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
              for dimension in 0..<dimensions {
                let item = items[dimension]
                let row = own[dimension]
                a += item * row.x
                b += item * row.y
                c += item * row.z
                d += item * row.w
              }
              let square = summation.squares[group]
              block[group] = square + ownSquares.x - 2 * a
              block[groups + group] = square + ownSquares.y - 2 * b
              block[2 * groups + group] = square + ownSquares.z - 2 * c
              block[3 * groups + group] = square + ownSquares.w - 2 * d
            }
          }
        }
      }
    }

    private mutating func addNearest() {
      sorter.sortSmallest(limit, of: squares)
      let scale = summation.vectors.scale
      let (sorted, limit) = (sorter.sorted, limit)
      sums.lists[0].withUnsafeMutableBufferPointer { sums in
        for k in 0..<limit { sums[k] &+= UInt64((Float(sorted[k]).squareRoot() * scale).wholeNumber) }
      }
    }

    /// Adds the distances of the other items in the order in which they lie around `row`'s cell.
    private mutating func addSurroundings(of row: Int, _ index: Int) {
      let layout = summation.layouts[index].layout
      let rings = summation.layouts[index].rings
      if list.count < rings.largest { list = [Int32](repeating: 0, count: rings.largest) }
      let (scale, limit) = (summation.vectors.scale, limit)
      let (columns, rows) = (Int32(layout.grid.columns), Int32(layout.grid.rows))
      let (y, x) = layout.places[row].quotientAndRemainder(dividingBy: columns)
      let wraps = layout.grid.edges == .torus
      sums.lists[index + 1].withUnsafeMutableBufferPointer { sums in
        list.withUnsafeMutableBufferPointer { ring in
          squares.withUnsafeBufferPointer { squares in
            layout.cells.withUnsafeBufferPointer { cells in
              rings.steps.withUnsafeBufferPointer { steps in
                var (k, step) = (0, 0)
                for end in rings.ends where k < limit {
                  var size = 0
                  while step < Int(end) {
                    var (cellX, cellY) = (x &+ steps[step].x, y &+ steps[step].y)
                    step += 1
                    if wraps {
                      if cellX < 0 { cellX &+= columns } else if cellX >= columns { cellX &-= columns }
                      if cellY < 0 { cellY &+= rows } else if cellY >= rows { cellY &-= rows }
                    } else if cellX < 0 || cellX >= columns || cellY < 0 || cellY >= rows {
                      continue
                    }
                    let square = squares[Int(cells[Int(cellY &* columns &+ cellX)])]
                    if square == Self.absent { continue }
                    // Sorted as they come, since rings are short.
                    var place = size
                    while place > 0, ring[place - 1] > square {
                      ring[place] = ring[place - 1]
                      place -= 1
                    }
                    ring[place] = square
                    size += 1
                  }
                  for index in 0..<min(size, limit - k) {
                    sums[k] &+= UInt64((Float(ring[index]).squareRoot() * scale).wholeNumber)
                    k += 1
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

extension Float {
  /// The number rounded down, for numbers from 0 to below 2^31.
  fileprivate var wholeNumber: Int32 { Int32(self) }
}

/// Sorts squared distances: they are below 2^24, so two passes of 12 bits do.
private final class RadixSorter {
  private(set) var sorted: [Int32] = []
  private var half: [Int32] = []
  private let lowDigits = UnsafeMutablePointer<Int32>.allocate(capacity: 4097)
  private let highDigits = UnsafeMutablePointer<Int32>.allocate(capacity: 4097)

  deinit {
    lowDigits.deallocate()
    highDigits.deallocate()
  }

  /// Fills `sorted` with the `count` smallest values, in order, and perhaps more.
  func sortSmallest(_ count: Int, of values: [Int32]) {
    let (low, high) = (lowDigits, highDigits)
    low.update(repeating: 0, count: 4097)
    high.update(repeating: 0, count: 4097)
    values.withUnsafeBufferPointer { values in
      // The high digits tell which ones those are.
      for value in values where value < 1 << 24 { high[Int(value >> 12) + 1] += 1 }
      var last = 0
      while last < 4095, high[last] + high[last + 1] < count {
        high[last + 1] += high[last]
        last += 1
      }
      high[last + 1] += high[last]
      let kept = Int(high[last + 1])
      let limit = Int32(last + 1) << 12
      if sorted.count < values.count {
        sorted = [Int32](repeating: 0, count: values.count)
        half = sorted
      }
      sorted.withUnsafeMutableBufferPointer { sorted in
        half.withUnsafeMutableBufferPointer { half in
          // What is wanted comes first, then it is sorted by each digit.
          var size = 0
          for value in values {
            sorted[size] = value
            if value < limit { size += 1 }
          }
          for value in sorted[..<kept] { low[Int(value & 4095) + 1] += 1 }
          for digit in 1..<4097 { low[digit] += low[digit - 1] }
          for value in sorted[..<kept] {
            half[Int(low[Int(value & 4095)])] = value
            low[Int(value & 4095)] += 1
          }
          for value in half[..<kept] {
            sorted[Int(high[Int(value >> 12)])] = value
            high[Int(value >> 12)] += 1
          }
        }
      }
    }
  }
}
