extension Arrangement {
  /// The mean Euclidean distance of items in cells that share a side, in units of a byte; nil where no two do. Holes have
  /// no part in it.
  public func meanNeighbourDistance(_ vectors: PackedVectors) -> Double? {
    var total = 0.0
    var pairs = 0
    func add(_ a: Int32, _ b: Int32) {
      if a == Self.hole || b == Self.hole { return }
      let sum = vectors.squaredDistance(Int(a), Int(b))
      total += Double(sum).squareRoot()
      pairs += 1
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
    return pairs == 0 ? nil : total / Double(pairs)
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
}
