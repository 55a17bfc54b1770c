/// Takes a decoded picture row by row, so that no decoder has to hold all of a large one.
protocol RowConsumer: AnyObject {
  /// Announces the size of what comes, in pixels, and how its colours are meant; called once, before the first row.
  func begin(width: Int, height: Int, colours: StoredColours)
  /// Takes the next row from the top: `width` x 3 bytes, RGB.
  func append(_ row: UnsafeBufferPointer<UInt8>)
}

extension RowConsumer {
  /// Stands in for rows that a damaged file lacks: the middle grey, as JPEG decoders show it.
  func appendMissing(rows: Int, width: Int) {
    if rows == 0 { return }
    let grey = [UInt8](repeating: 128, count: width * 3)
    grey.withUnsafeBufferPointer { for _ in 0..<rows { append($0) } }
  }
}

/// Keeps all rows.
final class ImageBuilder: RowConsumer {
  private var width = 0
  private var height = 0
  private var pixels: [UInt8] = []
  private(set) var colours = StoredColours()

  func begin(width: Int, height: Int, colours: StoredColours) {
    self.colours = colours
    self.width = width
    self.height = height
    pixels.reserveCapacity(width * height * 3)
  }

  func append(_ row: UnsafeBufferPointer<UInt8>) {
    pixels.append(contentsOf: row)
  }

  /// The picture, once every row has come.
  func image() -> RGBImage {
    RGBImage(width: width, height: height, pixels: pixels)
  }
}
