/// Resizes a rectangle of a picture by area average: each output pixel is the mean of the source area that it covers,
/// pixels on an edge counting by the part that is covered. A box of exact, fractional size, that is; enlarging repeats
/// pixels.
///
/// Rows are first summed downwards, weighted, over the columns in use; when an output row is complete its columns are
/// summed across. That order keeps the pass over the source one multiply-add a byte.
final class AreaReducer {
  /// A rectangle in source pixels; its edges may lie within pixels.
  struct Rectangle: Equatable {
    var x: Double, y: Double, width: Double, height: Double
  }

  private let columns: [Span]
  private let firstColumn: Int
  private let rowEdges: [Double]
  private let scale: Float
  private var sums: [Float]
  private var sourceRow = 0
  private var outputRow = 0
  private let outputWidth: Int
  private let outputHeight: Int
  private var pixels: [UInt8]

  /// The source columns under one output column, counted from the first column in use.
  private struct Span {
    let first: Int, last: Int
    let firstWeight: Float, lastWeight: Float
  }

  /// - Parameters:
  ///   - rectangle: the part to resize; it lies within the picture and isn't empty.
  ///   - width: of the result.
  ///   - height: of the result.
  init(of rectangle: Rectangle, width: Int, height: Int) {
    let columnEdges = Self.edges(from: rectangle.x, length: rectangle.width, count: width)
    let origin = Int(rectangle.x)
    columns = (0..<width).map { Self.span(from: columnEdges[$0], to: columnEdges[$0 + 1], origin: origin) }
    firstColumn = origin
    rowEdges = Self.edges(from: rectangle.y, length: rectangle.height, count: height)
    scale = Float(Double(width) * Double(height) / (rectangle.width * rectangle.height))
    // One more than there are, for the last column to be read four at a time.
    sums = [Float](repeating: 0, count: 3 * (1 + (columns.last?.last ?? 0)) + 1)
    outputWidth = width
    outputHeight = height
    pixels = [UInt8](repeating: 0, count: width * height * 3)
  }

  /// Takes the next row of the whole picture, RGB.
  func append(_ row: UnsafeBufferPointer<UInt8>) {
    var top = max(Double(sourceRow), rowEdges[0])
    let bottom = min(Double(sourceRow + 1), rowEdges[outputHeight])
    sourceRow += 1
    while top < bottom {
      let end = min(bottom, rowEdges[outputRow + 1])
      add(row, weight: Float(end - top))
      if rowEdges[outputRow + 1] <= bottom { finishRow() }
      top = end
    }
  }

  /// The result, once every row has come.
  func image() -> RGBImage {
    RGBImage(width: outputWidth, height: outputHeight, pixels: pixels)
  }

  private func add(_ row: UnsafeBufferPointer<UInt8>, weight: Float) {
    let source = UnsafeBufferPointer(rebasing: row[(firstColumn * 3)...])
    sums.withUnsafeMutableBufferPointer { sums in
      let count = sums.count - 1
      precondition(source.count >= count)
      for index in 0..<count {
        sums[index] = sums[index] + weight * Float(source[index])
      }
    }
  }

  private func finishRow() {
    let start = outputRow * outputWidth * 3
    sums.withUnsafeMutableBytes { sums in
      pixels.withUnsafeMutableBufferPointer { out in
        columns.withUnsafeBufferPointer { columns in
          // Three channels at a time; the fourth lane is the next pixel's red, and isn't used.
          func column(_ index: Int) -> SIMD4<Float> {
            sums.loadUnaligned(fromByteOffset: index * 3 * MemoryLayout<Float>.stride, as: SIMD4<Float>.self)
          }
          var target = start
          for span in columns {
            var total = column(span.first) * span.firstWeight
            if span.last > span.first {
              for index in span.first + 1..<span.last { total += column(index) }
              total += column(span.last) * span.lastWeight
            }
            // A mean of bytes is below 2^8. Added to 2^23 its fraction is rounded off, and its whole part is what the
            // sum's lowest bits say: several times faster than converting each channel.
            let bits = unsafeBitCast(total * scale + 0x1p23, to: SIMD4<UInt32>.self)
            out[target] = UInt8(truncatingIfNeeded: bits.x)
            out[target + 1] = UInt8(truncatingIfNeeded: bits.y)
            out[target + 2] = UInt8(truncatingIfNeeded: bits.z)
            target += 3
          }
        }
      }
      _ = sums.initializeMemory(as: UInt8.self, repeating: 0)
    }
    outputRow += 1
  }

  private static func edges(from start: Double, length: Double, count: Int) -> [Double] {
    (0..<count).map { start + length * Double($0) / Double(count) } + [start + length]
  }

  private static func span(from start: Double, to end: Double, origin: Int) -> Span {
    let first = Int(start)
    let last = max(first, Int(end.rounded(.up)) - 1)
    return Span(
      first: first - origin, last: last - origin,
      firstWeight: Float(min(end, Double(first + 1)) - start), lastWeight: Float(end - Double(last)))
  }
}
