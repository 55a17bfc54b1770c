import Imaging

/// What a cell without a picture looks like: a dark grey that is quiet among photos and on a page of either colour.
/// The page itself shows its own background there.
let holeColour: [UInt8] = [38, 38, 40]

extension RGBImage {
  /// A picture of one colour.
  init(width: Int, height: Int, colour: [UInt8]) {
    self.init(
      width: width, height: height,
      pixels: [UInt8](unsafeUninitializedCapacity: width * height * 3) { pixels, filled in
        for index in 0..<width * height {
          for channel in 0..<3 { pixels[index * 3 + channel] = colour[channel] }
        }
        filled = width * height * 3
      })
  }

  /// Copies `image` in, with its top left corner at a place; all of it must fit.
  mutating func paste(_ image: RGBImage, x: Int, y: Int) {
    precondition(x >= 0 && y >= 0 && x + image.width <= width && y + image.height <= height)
    let stride = width * 3
    pixels.withUnsafeMutableBufferPointer { target in
      image.pixels.withUnsafeBufferPointer { source in
        for row in 0..<image.height {
          (target.baseAddress! + (y + row) * stride + x * 3)
            .update(from: source.baseAddress! + row * image.width * 3, count: image.width * 3)
        }
      }
    }
  }
}
