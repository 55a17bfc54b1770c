/// Puts a frame that is smaller than its picture where it belongs, on white; for the first frames of animations.
final class FrameCanvas<Consumer: RowConsumer>: RowConsumer {
  private let size: (width: Int, height: Int)
  private let origin: (x: Int, y: Int)
  private let consumer: Consumer
  private var frame = (width: 0, height: 0)
  private var rows = 0
  private var row: [UInt8]

  /// - Parameters:
  ///   - size: of the picture, in pixels; the frame lies within it.
  ///   - origin: the frame's top left corner.
  ///   - consumer: takes the picture's rows.
  init(size: (width: Int, height: Int), origin: (x: Int, y: Int), consumer: Consumer) {
    self.size = size
    self.origin = origin
    self.consumer = consumer
    row = [UInt8](repeating: 255, count: size.width * 3)
  }

  func begin(width: Int, height: Int, colours: StoredColours) {
    precondition(origin.x + width <= size.width && origin.y + height <= size.height, "a frame lies within its picture")
    frame = (width, height)
    consumer.begin(width: size.width, height: size.height, colours: colours)
    appendWhite(origin.y)
  }

  func append(_ row: UnsafeBufferPointer<UInt8>) {
    self.row.withUnsafeMutableBufferPointer { whole in
      _ = UnsafeMutableBufferPointer(rebasing: whole[(origin.x * 3)...]).update(fromContentsOf: row)
      consumer.append(UnsafeBufferPointer(whole))
    }
    rows += 1
    if rows == frame.height {
      self.row.withUnsafeMutableBufferPointer { $0.update(repeating: 255) }
      appendWhite(size.height - origin.y - frame.height)
    }
  }

  private func appendWhite(_ count: Int) {
    row.withUnsafeBufferPointer { for _ in 0..<count { consumer.append($0) } }
  }
}
