import Dispatch

/// The low-pass filter of the map, by running sums: `kernels/box_filter.cl` says what it computes.
struct BoxFilter {
  let map: WorkingMap
  let radius: Int

  /// Filters all dimensions, a slice of them on each thread.
  func run(threads: Int) {
    let chunks = map.plan.dimensions / map.plan.chunk
    let slices = min(chunks, threads)
    DispatchQueue.concurrentPerform(iterations: slices) { slice in
      let first = slice * chunks / slices * map.plan.chunk
      let end = (slice + 1) * chunks / slices * map.plan.chunk
      ColumnSums(filter: self, dimensions: first..<end).run()
    }
  }

  /// The rows or columns that a window around `position` covers, not yet wrapped.
  fileprivate func window(around position: Int, length: Int) -> ClosedRange<Int> {
    switch map.plan.grid.edges {
    case .torus: 2 * radius + 1 >= length ? 0...(length - 1) : (position - radius)...(position + radius)
    case .open: max(position - radius, 0)...min(position + radius, length - 1)
    }
  }
}

/// The sums of the window's rows in each column, for a slice of the dimensions.
private final class ColumnSums {
  private let filter: BoxFilter
  private let map: WorkingMap
  private let dimensions: Range<Int>
  private let columns: Int
  private let rows: Int
  /// `[columns][dimensions.count]`.
  private let sums: UnsafeMutableBufferPointer<UInt32>
  /// Items in the window's rows, `[columns]`.
  private let counts: UnsafeMutableBufferPointer<UInt32>
  /// The sum of the window's columns, `[dimensions.count]`, and the items in it.
  private let total: UnsafeMutableBufferPointer<UInt32>
  private var totalCount: UInt32 = 0

  init(filter: BoxFilter, dimensions: Range<Int>) {
    self.filter = filter
    self.dimensions = dimensions
    map = filter.map
    columns = map.plan.grid.columns
    rows = map.plan.grid.rows
    sums = .allocate(capacity: columns * dimensions.count)
    counts = .allocate(capacity: columns)
    total = .allocate(capacity: dimensions.count)
    sums.initialize(repeating: 0)
    counts.initialize(repeating: 0)
    total.initialize(repeating: 0)
  }

  deinit {
    sums.deallocate()
    counts.deallocate()
    total.deallocate()
  }

  func run() {
    var window = filter.window(around: 0, length: rows)
    for y in window { add(row: y, sign: 1) }
    filterRow(0)
    for y in 1..<max(rows, 1) {
      let next = filter.window(around: y, length: rows)
      if next.upperBound > window.upperBound { add(row: next.upperBound, sign: 1) }
      if next.lowerBound > window.lowerBound { add(row: window.lowerBound, sign: -1) }
      window = next
      filterRow(y)
    }
  }

  private func add(row: Int, sign: Int32) {
    let y = (row + rows) % rows
    let width = dimensions.count
    for x in 0..<columns {
      let item = Int(map.cells[y * columns + x])
      if item == map.plan.hole { continue }
      counts[x] &+= UInt32(bitPattern: sign)
      let vector = map.vectors.baseAddress! + item * map.plan.dimensions + dimensions.lowerBound
      let sum = sums.baseAddress! + x * width
      for d in 0..<width { sum[d] &+= UInt32(bitPattern: sign &* Int32(vector[d])) }
    }
  }

  private func filterRow(_ y: Int) {
    total.update(repeating: 0)
    totalCount = 0
    var window = filter.window(around: 0, length: columns)
    for x in window { add(column: x, sign: 1) }
    writeMean(x: 0, y: y)
    for x in 1..<max(columns, 1) {
      let next = filter.window(around: x, length: columns)
      if next.upperBound > window.upperBound { add(column: next.upperBound, sign: 1) }
      if next.lowerBound > window.lowerBound { add(column: window.lowerBound, sign: -1) }
      window = next
      writeMean(x: x, y: y)
    }
  }

  private func add(column: Int, sign: Int32) {
    let x = column < 0 ? column + columns : column >= columns ? column - columns : column
    let width = dimensions.count
    let sum = sums.baseAddress! + x * width
    let factor = UInt32(bitPattern: sign)
    for d in 0..<width { total[d] &+= factor &* sum[d] }
    totalCount &+= factor &* counts[x]
  }

  /// floor((16 S + floor(c / 2)) / c). In doubles a quotient that isn't whole is at least 1 / c > 2^-24 away from the
  /// next whole number, so the product with the reciprocal, pushed up by 2^-30, is cut to the right one.
  private func writeMean(x: Int, y: Int) {
    let mean = map.filtered.baseAddress! + (y * columns + x) * map.plan.dimensions + dimensions.lowerBound
    if totalCount == 0 {
      for d in 0..<dimensions.count { mean[d] = Int16(map.plan.fallback[dimensions.lowerBound + d]) }
      return
    }
    let half = Double(totalCount / 2)
    let reciprocal = 1 / Double(totalCount)
    for d in 0..<dimensions.count {
      let quotient = (16 * Double(total[d]) + half) * reciprocal + 0x1p-30
      mean[d] = Int16(truncatingIfNeeded: Int32(quotient))
    }
  }
}
