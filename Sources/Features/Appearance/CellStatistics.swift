/// What is kept of one of the 8x8 cells of a picture.
struct CellStatistics {
  /// Sums of L, a, b over the cell's 16 blocks.
  private(set) var sums: [Int32] = [0, 0, 0]
  /// What colours its blocks have.
  private(set) var colours = ColourShares()
  /// Windows of 2x2 blocks within the cell by kind of edge; nine in all.
  private(set) var edges = [Int32](repeating: 0, count: EdgeKind.allCases.count)

  /// - Parameters:
  ///   - picture: [size, size, 3], RGB
  ///   - cell: 0..<64, row by row
  init(_ picture: UnsafePointer<UInt8>, size: Int, cell: Int) {
    let side = AppearanceVector.blocksPerCellSide
    let firstRow = cell / AppearanceVector.cellsPerSide * side
    let firstColumn = cell % AppearanceVector.cellsPerSide * side
    let blocks = (0..<side * side).map { block in
      meanColour(picture, size: size, row: firstRow + block / side, column: firstColumn + block % side)
    }
    for block in blocks {
      sums[0] += block.lightness
      sums[1] += block.a
      sums[2] += block.b
      colours.add(block)
    }
    for row in 0..<side - 1 {
      for column in 0..<side - 1 {
        let corner = row * side + column
        let kind = EdgeKind(
          topLeft: blocks[corner].lightness, topRight: blocks[corner + 1].lightness,
          bottomLeft: blocks[corner + side].lightness, bottomRight: blocks[corner + side + 1].lightness)
        if let kind { edges[kind.rawValue] += 1 }
      }
    }
  }
}

/// The mean, in linear light, of one of the picture's 32x32 blocks.
private func meanColour(_ picture: UnsafePointer<UInt8>, size: Int, row: Int, column: Int) -> Oklab {
  let blocks = AppearanceVector.cellsPerSide * AppearanceVector.blocksPerCellSide
  let rows = row * size / blocks..<(row + 1) * size / blocks
  let columns = column * size / blocks..<(column + 1) * size / blocks
  var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
  Oklab.linearTable.withUnsafeBufferPointer { linear in
    for y in rows {
      for x in columns {
        let pixel = picture + (y * size + x) * 3
        red += UInt32(linear[Int(pixel[0])])
        green += UInt32(linear[Int(pixel[1])])
        blue += UInt32(linear[Int(pixel[2])])
      }
    }
  }
  // 16 pixels, as at 128 x 128, need no division.
  let count = UInt32(rows.count * columns.count)
  return Oklab(linear: red * 16 / count, green * 16 / count, blue * 16 / count)
}
