/// What a picture looks like, in 50 bytes that are compared by plain squared distance.
///
/// | bytes | part |
/// |---|---|
/// | 0..<12 | layout: the mean L, then a, then b, in Oklab, of the top left, top right, bottom left, bottom right quarter |
/// | 12..<30 | colours: how much of the picture is dark, middling, light, each grey or of one of five hues |
/// | 30..<50 | edges: how many windows of each of five kinds in each quarter |
///
/// Layout and edges are MPEG-7's colour layout and edge histogram on a coarser grid, the colours a joint histogram with
/// soft limits (Manjunath et al. 2001, "Color and Texture Descriptors"); of its shares the square roots are kept, so that
/// squared distance is Hellinger's. How much the parts count against each other was searched for: a and b eight times
/// what L does, colours and edges four times.
///
/// This was compared with a small cosine transform, histograms alone, and others, by how well pictures of the same kind
/// are found and by what stays near when a picture is moved, blurred, mirrored or recoloured: docs/guide/vectors.md has
/// the figures.
///
/// Everything is computed in integers: the bytes are the same on every device.
public enum AppearanceVector {
  /// Bytes of a vector.
  public static let count = 50

  /// The vector of a picture.
  ///
  /// - Parameters:
  ///   - picture: [size, size, 3], RGB
  ///   - size: Side of the picture in pixels, 32...1024.
  /// - Returns: ``count`` bytes.
  public static func bytes(_ picture: UnsafePointer<UInt8>, size: Int) -> [UInt8] {
    precondition((32...1024).contains(size), "sums of 32 bits hold for 32...1024 pixels")
    let cells = (0..<cellCount).map { CellStatistics(picture, size: size, cell: $0) }
    let layout = (0..<12).map { layoutByte(cells, channel: $0 / 4, quarter: $0 % 4) }
    let colours = (0..<ColourShares.count).map { colourByte(cells, bin: $0) }
    let edges = (0..<20).map { index in
      edgeByte(cells, quarter: index / EdgeKind.allCases.count, kind: index % EdgeKind.allCases.count)
    }
    return layout + colours + edges
  }

  /// Cells along one side; a cell has 4x4 blocks, whose mean colours are what is looked at.
  static let cellsPerSide = 8
  static let cellCount = cellsPerSide * cellsPerSide
  static let blocksPerCellSide = 4
}

// MARK: - Bytes

extension AppearanceVector {
  /// The sum of a value over the 16 cells of a quarter.
  private static func sum(_ cells: [CellStatistics], quarter: Int, _ value: (CellStatistics) -> Int32) -> Int32 {
    cells.enumerated().reduce(0) { total, cell in
      let (row, column) = (cell.offset / cellsPerSide, cell.offset % cellsPerSide)
      return row / 4 == quarter / 2 && column / 4 == quarter % 2 ? total + value(cell.element) : total
    }
  }

  /// 64 for all of L, 512 for one of a or b, which are seldom beyond a quarter; 256 blocks are a quarter.
  private static func layoutByte(_ cells: [CellStatistics], channel: Int, quarter: Int) -> UInt8 {
    let mean = sum(cells, quarter: quarter) { $0.sums[channel] } >> 8
    let scaled = (mean * (channel == 0 ? 40 : 321) + (1 << 19)) >> 20
    return UInt8(clamping: scaled + (channel == 0 ? 96 : 128))
  }

  /// 255 for all of the picture.
  private static func colourByte(_ cells: [CellStatistics], bin: Int) -> UInt8 {
    let mass = cells.reduce(UInt32(0)) { $0 + UInt32($1.colours.masses[bin]) }
    return UInt8(clamping: (255 * squareRoot(mass) + (1 << 12)) >> 13)
  }

  /// 252 for all of a quarter's 144 windows.
  private static func edgeByte(_ cells: [CellStatistics], quarter: Int, kind: Int) -> UInt8 {
    UInt8(clamping: (sum(cells, quarter: quarter) { $0.edges[kind] } * 7) >> 2)
  }
}
