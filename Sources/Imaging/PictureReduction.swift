/// Makes the network's input and the thumbnail from one stream of rows.
final class PictureReduction: RowConsumer {
  private let options: DecodingOptions
  private var input: AreaReducer?
  /// Nil while both are the same picture.
  private var thumbnail: AreaReducer?
  private var colours = StoredColours()

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
    input = AreaReducer(of: inputRectangle, width: options.inputSide, height: options.inputSide)
    if inputRectangle != square || options.inputSide != options.thumbnailSide {
      thumbnail = AreaReducer(of: square, width: options.thumbnailSide, height: options.thumbnailSide)
    }
  }

  func append(_ row: UnsafeBufferPointer<UInt8>) {
    input?.append(row)
    thumbnail?.append(row)
  }

  /// Both pictures in sRGB, not turned upright yet, once every row has come.
  func images(_ converter: ColourConverter) -> (input: RGBImage, thumbnail: RGBImage) {
    guard var input = input?.image() else { preconditionFailure("a decoder announces its picture before it returns") }
    converter.convert(&input, from: colours)
    guard var thumbnail = thumbnail?.image() else { return (input, input) }
    converter.convert(&thumbnail, from: colours)
    return (input, thumbnail)
  }
}
