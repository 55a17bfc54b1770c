/// Makes the network's input and the thumbnail from one stream of rows, of one picture after the other.
final class PictureReduction: RowConsumer {
  private let options: DecodingOptions
  private let reducer = AreaReducer()
  /// For a thumbnail of other rows than the input's.
  private let secondReducer = AreaReducer()
  private var thumbnail = Thumbnail.isInput
  private var colours = StoredColours()

  /// Where the thumbnail comes from.
  private enum Thumbnail {
    case isInput, sharesRows, isApart
  }

  init(options: DecodingOptions) {
    self.options = options
  }

  func begin(width: Int, height: Int, colours: StoredColours) {
    self.colours = colours
    let whole = AreaReducer.Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
    let side = min(whole.width, whole.height)
    let square = AreaReducer.Rectangle(
      x: (whole.width - side) / 2, y: (whole.height - side) / 2, width: side, height: side)
    let inputRectangle = options.framing == .squeeze ? whole : square
    reducer.begin(inputRectangle, width: options.inputSide, height: options.inputSide)
    let thumbnailSide = options.thumbnailSide
    if inputRectangle == square, options.inputSide == thumbnailSide {
      thumbnail = .isInput
    } else if reducer.add(square, width: thumbnailSide, height: thumbnailSide) {
      thumbnail = .sharesRows
    } else {
      thumbnail = .isApart
      secondReducer.begin(square, width: thumbnailSide, height: thumbnailSide)
    }
  }

  func append(_ row: UnsafeBufferPointer<UInt8>) {
    reducer.append(row)
    if thumbnail == .isApart { secondReducer.append(row) }
  }

  /// Both pictures in sRGB and upright, once every row has come; to be called once.
  func images(
    _ orientation: Orientation, _ converter: ColourConverter, _ pool: RGBImagePool
  ) -> (input: RGBImage, thumbnail: RGBImage) {
    func image(_ pixels: UnsafeMutableBufferPointer<UInt8>, side: Int) -> RGBImage {
      converter.convert(pixels, from: colours)
      var upright = pool.take(count: pixels.count)
      upright.withUnsafeMutableBufferPointer {
        orientation.turn(UnsafeBufferPointer(pixels), width: side, height: side, to: $0)
      }
      return RGBImage(width: side, height: side, pixels: upright)
    }
    let input = image(reducer.pixels(0), side: options.inputSide)
    // The profile isn't kept for the picture's sake.
    defer { colours = StoredColours() }
    return switch thumbnail {
    case .isInput: (input, input)
    case .sharesRows: (input, image(reducer.pixels(1), side: options.thumbnailSide))
    case .isApart: (input, image(secondReducer.pixels(0), side: options.thumbnailSide))
    }
  }
}
