/// Which item lies in which cell of a grid.
public struct Arrangement: Sendable, Equatable {
  /// What stands in a cell without an item.
  public static let hole: Int32 = -1

  /// The cells.
  public let grid: Grid
  /// For each cell, row by row, the index of its item, or `hole`.
  public let items: [Int32]

  /// An arrangement of these items.
  /// - Precondition: there is one entry for each cell.
  public init(grid: Grid, items: [Int32]) {
    precondition(items.count == grid.cellCount)
    self.grid = grid
    self.items = items
  }

  /// A 64-bit FNV-1a hash of the size and the cells, as 16 hexadecimal digits: equal for equal maps, whatever device
  /// made them.
  public var checksum: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ value: Int32) {
      for shift in stride(from: 0, to: 32, by: 8) {
        hash = (hash ^ UInt64(truncatingIfNeeded: value >> shift) & 0xff) &* 0x0000_0100_0000_01b3
      }
    }
    add(Int32(grid.columns))
    add(Int32(grid.rows))
    items.forEach(add)
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The seeded random arrangement that a sort of `count` items begins with.
  /// - Precondition: the grid has a cell for each item.
  public static func random(_ count: Int, on grid: Grid, seed: UInt64) -> Arrangement {
    precondition(count <= grid.cellCount)
    let order = SeededBijection(
      count: grid.cellCount, key: UInt32(truncatingIfNeeded: RandomBits.number(seed: seed, counter: 0)))
    return Arrangement(
      grid: grid, items: (0..<grid.cellCount).map { order[$0] < count ? Int32(order[$0]) : hole })
  }
}
