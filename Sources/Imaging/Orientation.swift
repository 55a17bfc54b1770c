/// How the stored picture must be turned to stand upright: the eight values of the EXIF tag 0x0112 (EXIF 2.32, 4.6.4).
public enum Orientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored = 2
  case rotated180 = 3
  case mirroredRotated180 = 4
  case transposed = 5
  case rotated90Clockwise = 6
  case transversed = 7
  case rotated90CounterClockwise = 8

  /// The tag's meaning; values that the standard doesn't define mean upright.
  public init(tag: Int) {
    self = Orientation(rawValue: tag) ?? .upright
  }

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    switch self {
    case .rotated90Clockwise: .rotated90CounterClockwise
    case .rotated90CounterClockwise: .rotated90Clockwise
    default: self
    }
  }

  /// The upright picture of a stored one.
  public func apply(to image: RGBImage) -> RGBImage {
    if self == .upright { return image }
    let pixels = [UInt8](unsafeUninitializedCapacity: image.pixels.count) { out, count in
      image.pixels.withUnsafeBufferPointer { turn($0, width: image.width, height: image.height, to: out) }
      count = image.pixels.count
    }
    return swapsSides
      ? RGBImage(width: image.height, height: image.width, pixels: pixels)
      : RGBImage(width: image.width, height: image.height, pixels: pixels)
  }

  /// Writes the upright picture's pixels, 3 bytes each.
  ///
  /// - Parameters:
  ///   - source: the stored pixels.
  ///   - width: of the stored picture.
  ///   - height: of the stored picture.
  ///   - out: as many bytes elsewhere.
  func turn(
    _ source: UnsafeBufferPointer<UInt8>, width: Int, height: Int, to out: UnsafeMutableBufferPointer<UInt8>
  ) {
    if self == .upright {
      _ = out.update(fromContentsOf: source)
      return
    }
    let (start, stepX, stepY) = walk(width: width, height: height)
    var target = 0
    for y in 0..<(swapsSides ? width : height) {
      var from = (start + y * stepY) * 3
      for _ in 0..<(swapsSides ? height : width) {
        out[target] = source[from]
        out[target + 1] = source[from + 1]
        out[target + 2] = source[from + 2]
        target += 3
        from += stepX * 3
      }
    }
  }

  /// Which stored pixel is the upright picture's first, and how far apart in the stored picture are upright neighbours
  /// in x and in y; in pixels.
  private func walk(width: Int, height: Int) -> (start: Int, stepX: Int, stepY: Int) {
    let right = width - 1
    let bottom = (height - 1) * width
    return switch self {
    case .upright: (0, 1, width)
    case .mirrored: (right, -1, width)
    case .rotated180: (bottom + right, -1, -width)
    case .mirroredRotated180: (bottom, 1, -width)
    case .transposed: (0, width, 1)
    case .rotated90Clockwise: (bottom, -width, 1)
    case .transversed: (bottom + right, -width, -1)
    case .rotated90CounterClockwise: (right, width, -1)
    }
  }
}
