extension Arrangement {
  /// The mean Euclidean distance of items in cells that share a side, in units of a byte; nil where no two do. Holes have
  /// no part in it.
  public func meanNeighbourDistance(_ vectors: PackedVectors) -> Double? {
    var total = 0.0
    var pairs = 0
    func add(_ a: Int32, _ b: Int32) {
      if a == Self.hole || b == Self.hole { return }
      let sum = zip(vectors[Int(a)], vectors[Int(b)]).reduce(0) {
        let difference = Int($1.0) - Int($1.1)
        return $0 + difference * difference
      }
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
