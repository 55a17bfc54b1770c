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
    sums = [Float](repeating: 0, count: 3 * (1 + (columns.last?.last ?? 0)))
    outputWidth = width
    outputHeight = height
    pixels = []
    pixels.reserveCapacity(width * height * 3)
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
      precondition(source.count >= sums.count)
      for index in 0..<sums.count {
        sums[index] = sums[index] + weight * Float(source[index])
      }
    }
  }

  private func finishRow() {
    sums.withUnsafeMutableBufferPointer { sums in
      for span in columns {
        var red = sums[span.first * 3] * span.firstWeight
        var green = sums[span.first * 3 + 1] * span.firstWeight
        var blue = sums[span.first * 3 + 2] * span.firstWeight
        if span.last > span.first {
          var index = span.first * 3 + 3
          while index < span.last * 3 {
            red += sums[index]
            green += sums[index + 1]
            blue += sums[index + 2]
            index += 3
          }
          red += sums[index] * span.lastWeight
          green += sums[index + 1] * span.lastWeight
          blue += sums[index + 2] * span.lastWeight
        }
        pixels.append(Self.byte(red * scale))
        pixels.append(Self.byte(green * scale))
        pixels.append(Self.byte(blue * scale))
      }
      sums.update(repeating: 0)
    }
    outputRow += 1
  }

  private static func byte(_ value: Float) -> UInt8 {
    UInt8(min(255, max(0, value + 0.5)))
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
