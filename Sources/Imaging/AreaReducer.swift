import CImaging

/// Resizes rectangles of a picture by area average: each output pixel is the mean of the source area that it covers,
/// pixels on an edge counting by the part that is covered. A box of exact, fractional size, that is; enlarging repeats
/// pixels.
///
/// Rows are first summed downwards, weighted, over the columns in use; when an output row is complete its columns are
/// summed across. That order keeps the pass over the source one multiply-add a byte, and several results of the same
/// rows share it. One reducer serves one picture after the other, and allocates nothing for those of a size that it has
/// seen.
final class AreaReducer {
  /// A rectangle in source pixels; its edges may lie within pixels.
  struct Rectangle: Equatable {
    var x: Double, y: Double, width: Double, height: Double
  }

  private var results: [ColumnReducer] = []
  private var resultCount = 0
  private var rows = (start: 0.0, length: 0.0, count: 0)
  private var rowEdges: [Double] = []
  /// Source columns in use.
  private var columns = 0..<0
  private let sums = ScratchBuffer()
  private var isFirst = true
  private var sourceRow = 0
  private var outputRow = 0

  /// Begins a picture, of which a part is resized.
  ///
  /// - Parameters:
  ///   - rectangle: the part; it lies within the picture and isn't empty.
  ///   - width: of the result.
  ///   - height: of the result.
  func begin(_ rectangle: Rectangle, width: Int, height: Int) {
    if rows != (rectangle.y, rectangle.height, height) {
      rows = (rectangle.y, rectangle.height, height)
      AreaReducer.setEdges(&rowEdges, from: rectangle.y, length: rectangle.height, count: height)
    }
    (resultCount, sourceRow, outputRow, isFirst) = (0, 0, 0, true)
    columns = Int(rectangle.x)..<Int(rectangle.x)
    append(rectangle, width: width)
  }

  /// Makes another result of the same rows.
  ///
  /// - Returns: false, and nothing happens, when the rectangle or the result has other rows.
  func add(_ rectangle: Rectangle, width: Int, height: Int) -> Bool {
    guard rows == (rectangle.y, rectangle.height, height) else { return false }
    append(rectangle, width: width)
    return true
  }

  /// Takes the next row of the whole picture, RGB.
  func append(_ row: UnsafeBufferPointer<UInt8>) {
    var top = max(Double(sourceRow), rowEdges[0])
    let bottom = min(Double(sourceRow + 1), rowEdges[rows.count])
    sourceRow += 1
    while top < bottom {
      let edge = rowEdges[outputRow + 1]
      let end = min(bottom, edge)
      add(row, weight: Float(end - top))
      if edge <= bottom { finishRow() }
      top = end
    }
  }

  /// The pixels of a result once every row has come, RGB; 0 is that of `begin`. Valid until the next picture begins.
  func pixels(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    results[index].pixels
  }

  private func append(_ rectangle: Rectangle, width: Int) {
    if resultCount == results.count { results.append(ColumnReducer()) }
    let result = results[resultCount]
    resultCount += 1
    result.begin(rectangle, width: width, height: rows.count)
    columns = min(columns.lowerBound, result.columns.lowerBound)..<max(columns.upperBound, result.columns.upperBound)
  }

  private func add(_ row: UnsafeBufferPointer<UInt8>, weight: Float) {
    precondition(row.count >= columns.upperBound * 3, "a row is as long as the picture is wide")
    kiano_add_row(columnSums, row.baseAddress! + columns.lowerBound * 3, columns.count * 3, weight, isFirst)
    isFirst = false
  }

  private func finishRow() {
    for index in 0..<resultCount { results[index].finishRow(outputRow, columnSums, firstColumn: columns.lowerBound) }
    outputRow += 1
    isFirst = true
  }

  /// One more than there are, for the last column to be read four at a time.
  private var columnSums: UnsafeMutablePointer<Float> {
    sums.bytes(count: (columns.count * 3 + 1) * MemoryLayout<Float>.stride).assumingMemoryBound(to: Float.self)
      .baseAddress!
  }

  fileprivate static func setEdges(_ edges: inout [Double], from start: Double, length: Double, count: Int) {
    edges.removeAll(keepingCapacity: true)
    for index in 0..<count { edges.append(start + length * Double(index) / Double(count)) }
    edges.append(start + length)
  }
}

/// Sums the columns of one result across.
private final class ColumnReducer {
  /// The source columns under one output column.
  private struct Span {
    let first: Int, last: Int
    let firstWeight: Float, lastWeight: Float

    init(from start: Double, to end: Double) {
      first = Int(start)
      last = max(first, Int(end.rounded(.up)) - 1)
      firstWeight = Float(min(end, Double(first + 1)) - start)
      lastWeight = Float(end - Double(last))
    }
  }

  private var rectangle: AreaReducer.Rectangle?
  private var spans: [Span] = []
  private var edges: [Double] = []
  private var scale: Float = 0
  private var height = 0
  private let output = ScratchBuffer()

  /// Source columns in use.
  var columns: Range<Int> { spans[0].first..<spans[spans.count - 1].last + 1 }

  var pixels: UnsafeMutableBufferPointer<UInt8> {
    let count = spans.count * height * 3
    return UnsafeMutableBufferPointer(
      rebasing: output.bytes(count: count + 1).assumingMemoryBound(to: UInt8.self)[..<count])
  }

  func begin(_ rectangle: AreaReducer.Rectangle, width: Int, height: Int) {
    if self.rectangle == rectangle, spans.count == width, self.height == height { return }
    self.rectangle = rectangle
    self.height = height
    scale = Float(Double(width) * Double(height) / (rectangle.width * rectangle.height))
    AreaReducer.setEdges(&edges, from: rectangle.x, length: rectangle.width, count: width)
    spans.removeAll(keepingCapacity: true)
    for index in 0..<width { spans.append(Span(from: edges[index], to: edges[index + 1])) }
  }

  /// - Parameters:
  ///   - row: the output row.
  ///   - sums: of the columns from `firstColumn` on, and one number more.
  func finishRow(_ row: Int, _ sums: UnsafePointer<Float>, firstColumn: Int) {
    let out = UnsafeMutableRawPointer(pixels.baseAddress! + row * spans.count * 3)
    // Three channels at a time; the fourth lane is the next pixel's red, and isn't used.
    func column(_ index: Int) -> SIMD4<Float> {
      UnsafeRawPointer(sums + (index &- firstColumn) &* 3).loadUnaligned(as: SIMD4<Float>.self)
    }
    let scale = SIMD4(repeating: scale)
    spans.withUnsafeBufferPointer { spans in
      var target = 0
      for span in spans {
        var total = column(span.first) * span.firstWeight
        if span.last > span.first {
          var index = span.first &+ 1
          while index < span.last {
            total += column(index)
            index &+= 1
          }
          total += column(span.last) * span.lastWeight
        }
        // A mean of bytes is below 2^8. Added to 2^23 its fraction is rounded off, and its whole part is what the sum's
        // lowest bits say: several times faster than converting each channel. The fourth byte is overwritten by the
        // next pixel, or the one that the buffer has too many.
        let bits = unsafeBitCast(total * scale + 0x1p23, to: SIMD4<UInt32>.self)
        out.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: bits), toByteOffset: target, as: SIMD4<UInt8>.self)
        target &+= 3
      }
    }
  }
}
