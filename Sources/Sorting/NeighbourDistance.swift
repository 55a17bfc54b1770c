import Compute

/// The distances of items in cells that share a side, added up: in whole multiples of the inverse of
/// `MetricVectors.scale`, so that the sum is the same in any order, on any device.
struct NeighbourSum: Equatable {
  var distance: UInt64 = 0
  var pairs = 0

  /// In units of a byte; nil where there is no pair.
  func mean(_ scale: Float) -> Double? {
    pairs == 0 ? nil : Double(distance) / Double(scale) / Double(pairs)
  }
}

extension Arrangement {
  /// The definition that `kernels/neighbours.cl` is compared with.
  func neighbourSum(_ vectors: MetricVectors) -> NeighbourSum {
    var sum = NeighbourSum()
    func add(_ a: Int32, _ b: Int32) {
      if a == Self.hole || b == Self.hole { return }
      let square = Float(vectors.vectors.squaredDistance(Int(a), Int(b)))
      sum.distance += UInt64(square.squareRoot() * vectors.scale)
      sum.pairs += 1
    }
    let (columns, rows) = (grid.columns, grid.rows)
    for y in 0..<rows {
      for x in 0..<columns {
        let item = items[y * columns + x]
        if x + 1 < columns || (grid.edges == .torus && columns > 2) {
          add(item, items[y * columns + (x + 1) % columns])
        }
        if y + 1 < rows || (grid.edges == .torus && rows > 2) { add(item, items[(y + 1) % rows * columns + x]) }
      }
    }
    return sum
  }
}

extension Device {
  /// `Arrangement.neighbourSum` on this device.
  func neighbourSum(_ arrangement: Arrangement, _ vectors: MetricVectors) throws(ComputeError) -> NeighbourSum {
    let cellsInRun = 64
    let grid = arrangement.grid
    let runs = (grid.cellCount + cellsInRun - 1) / cellsInRun
    let chunks = (vectors.vectors.dimensions + 15) / 16
    let kernel = try program(.embedded("neighbours"), options: ["-DRUN=\(cellsInRun)"]).kernel("neighbours")
    let items = try makeBuffer(copying: vectors.vectors.chunks(of: 16))
    let cells = try makeBuffer(copying: arrangement.items)
    let sums = try makeBuffer(of: UInt64.self, count: runs)
    let pairs = try makeBuffer(of: Int32.self, count: runs)
    try enqueue(
      kernel,
      [
        .buffer(items), .buffer(cells), .buffer(sums), .buffer(pairs), .int(Arrangement.hole),
        .int(Int32(grid.columns)), .int(Int32(grid.rows)), .int(grid.edges == .torus ? 1 : 0), .int(Int32(chunks)),
        .float(vectors.scale),
      ], groups: [runs], groupSize: [1])
    return NeighbourSum(
      distance: try sums.read(UInt64.self, count: runs).reduce(0, +),
      pairs: try pairs.read(Int32.self, count: runs).reduce(0) { $0 + Int($1) })
  }
}

extension PackedVectors {
  /// The squared Euclidean distance of two vectors.
  fileprivate func squaredDistance(_ a: Int, _ b: Int) -> Int32 {
    bytes.withUnsafeBufferPointer { bytes in
      var sum: Int32 = 0
      for d in 0..<dimensions {
        let difference = Int32(bytes[a * dimensions + d]) - Int32(bytes[b * dimensions + d])
        sum &+= difference &* difference
      }
      return sum
    }
  }

  /// The vectors, each filled up with zeros to a multiple of `size` bytes.
  fileprivate func chunks(of size: Int) -> [UInt8] {
    let width = (dimensions + size - 1) / size * size
    if width == dimensions { return bytes }
    var chunks = [UInt8](repeating: 0, count: count * width)
    for index in 0..<count {
      chunks.replaceSubrange(
        (index * width)..<(index * width + dimensions), with: bytes[(index * dimensions)..<((index + 1) * dimensions)])
    }
    return chunks
  }
}
