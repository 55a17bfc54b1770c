/// Takes a decoded picture row by row, so that no decoder has to hold all of a large one.
protocol RowConsumer: AnyObject {
  /// Announces the size of what comes, in pixels; called once, before the first row.
  func begin(width: Int, height: Int)
  /// Takes the next row from the top: `width` x 3 bytes, RGB.
  func append(_ row: UnsafeBufferPointer<UInt8>)
}

/// Keeps all rows.
final class ImageBuilder: RowConsumer {
  private var width = 0
  private var height = 0
  private var pixels: [UInt8] = []

  func begin(width: Int, height: Int) {
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
