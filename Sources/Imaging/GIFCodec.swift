import CGIF

/// GIF through giflib; of animations the first frame.
struct GIFCodec: ImageCodec {
  let format = ImageFormat.gif
  let library = "giflib \(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    try GIFSource(GIFStream(bytes))
  }
}

/// A GIF file, read up to its first frame's pixels.
private struct GIFSource: PictureSource {
  let header: PictureHeader
  private let stream: GIFStream
  private let frame: GifImageDesc
  private let transparentIndex: Int?

  init(_ stream: GIFStream) throws(ImagingError.Reason) {
    self.stream = stream
    transparentIndex = try stream.seekFirstFrame()
    let file = stream.file.pointee
    frame = file.Image
    guard frame.Width > 0, frame.Height > 0 else { throw .damaged("its first frame has no pixels") }
    // Frames that stick out of the screen widen it, as they do elsewhere.
    header = PictureHeader(
      width: max(Int(file.SWidth), Int(frame.Left) + Int(frame.Width)),
      height: max(Int(file.SHeight), Int(frame.Top) + Int(frame.Height)))
  }

  func workingBytes(shortestSide: Int) -> Int {
    header.width * 8 + (frame.Interlace ? Int(frame.Width) * Int(frame.Height) : Int(frame.Width))
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    if (Int(frame.Width), Int(frame.Height)) == (header.width, header.height) {
      return try decodeFrame(into: consumer, workspace: workspace)
    }
    return try decodeFrame(
      into: FrameCanvas(
        size: (header.width, header.height), origin: (Int(frame.Left), Int(frame.Top)), consumer: consumer),
      workspace: workspace)
  }

  private func decodeFrame(
    into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let (width, height) = (Int(frame.Width), Int(frame.Height))
    let palette = try palette()
    let colours = workspace.rowBuffer(count: width * 3)
    func show(_ row: UnsafeMutableBufferPointer<UInt8>) {
      for x in 0..<width {
        let colour = palette[Int(row[x])]
        colours[x * 3] = colour.Red
        colours[x * 3 + 1] = colour.Green
        colours[x * 3 + 2] = colour.Blue
      }
      consumer.append(UnsafeBufferPointer(colours))
    }

    if frame.Interlace {
      let pixels = workspace.pixelBuffer(count: width * height)
      let rows = Self.interlacedRows(height)
      let places = rows.map { UnsafeMutableBufferPointer(rebasing: pixels[$0 * width..<($0 + 1) * width]) }
      guard let read = try readRows(places, workspace.patience) else { throw .damaged(stream.message) }
      // Three of the four passes are half of the rows, evenly spread: what is missing repeats the row above.
      for y in rows[read...].sorted() {
        for x in 0..<width { pixels[y * width + x] = pixels[(y - 1) * width + x] }
      }
      consumer.begin(width: width, height: height, colours: StoredColours())
      for y in 0..<height { show(UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])) }
      return read == height ? .complete : .partial(stream.message)
    }
    consumer.begin(width: width, height: height, colours: StoredColours())
    let row = workspace.pixelBuffer(count: width)
    for y in 0..<height {
      try workspace.patience.check()
      if DGifGetLine(stream.file, row.baseAddress, frame.Width) == GIF_OK {
        show(row)
      } else {
        guard y * 2 >= height else { throw .damaged(stream.message) }
        consumer.appendMissing(rows: height - y, width: width)
        return .partial(stream.message)
      }
    }
    return .complete
  }

  /// - Returns: how many rows came; nil when less than half did.
  private func readRows(
    _ rows: [UnsafeMutableBufferPointer<UInt8>], _ patience: DecodingPatience
  ) throws(ImagingError.Reason) -> Int? {
    for (index, row) in rows.enumerated() {
      try patience.check()
      if DGifGetLine(stream.file, row.baseAddress, frame.Width) != GIF_OK {
        return index * 2 >= rows.count ? index : nil
      }
    }
    return rows.count
  }

  /// The order in which an interlaced picture's rows are stored (GIF89a, appendix E).
  private static func interlacedRows(_ height: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }

  /// A colour for each possible index: those past the palette are black, the transparent one is white.
  private func palette() throws(ImagingError.Reason) -> [GifColorType] {
    guard let map = frame.ColorMap ?? stream.file.pointee.SColorMap else { throw .damaged("it has no palette") }
    var colours = [GifColorType](repeating: GifColorType(Red: 0, Green: 0, Blue: 0), count: 256)
    for index in 0..<min(256, Int(map.pointee.ColorCount)) { colours[index] = map.pointee.Colors[index] }
    if let transparentIndex { colours[transparentIndex] = GifColorType(Red: 255, Green: 255, Blue: 255) }
    return colours
  }
}

/// Reads a GIF file in memory.
private final class GIFStream {
  /// giflib's state; it lasts as long as the stream.
  let file: UnsafeMutablePointer<GifFileType>
  private let input: UnsafeMutablePointer<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    let input = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(capacity: 1)
    input.initialize(to: bytes)
    var code: Int32 = 0
    let take: InputFunc = { file, target, count in
      guard let file, let target else { return 0 }
      let input = file.pointee.UserData.assumingMemoryBound(to: UnsafeRawBufferPointer.self)
      let step = min(Int(count), input.pointee.count)
      UnsafeMutableRawPointer(target).copyMemory(from: input.pointee.baseAddress!, byteCount: step)
      input.pointee = UnsafeRawBufferPointer(rebasing: input.pointee[step...])
      return Int32(step)
    }
    guard let file = DGifOpen(input, take, &code) else {
      input.deallocate()
      throw .damaged(Self.words(code))
    }
    (self.file, self.input) = (file, input)
  }

  deinit {
    DGifCloseFile(file, nil)
    input.deallocate()
  }

  /// What went wrong last.
  var message: String { Self.words(file.pointee.Error) }

  /// Reads up to the first frame's pixels.
  ///
  /// - Returns: the index of the transparent colour, if there is one.
  func seekFirstFrame() throws(ImagingError.Reason) -> Int? {
    var transparentIndex: Int?
    while true {
      var kind = UNDEFINED_RECORD_TYPE
      guard DGifGetRecordType(file, &kind) == GIF_OK else { throw .damaged(message) }
      switch kind {
      case IMAGE_DESC_RECORD_TYPE:
        guard DGifGetImageDesc(file) == GIF_OK else { throw .damaged(message) }
        return transparentIndex
      case EXTENSION_RECORD_TYPE: transparentIndex = try readExtension() ?? transparentIndex
      default: throw .damaged("it holds no frame")
      }
    }
  }

  private func readExtension() throws(ImagingError.Reason) -> Int? {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    var transparentIndex: Int?
    guard DGifGetExtension(file, &code, &block) == GIF_OK else { throw .damaged(message) }
    while let content = block {
      var control = GraphicsControlBlock()
      // The first byte is the number of those that follow.
      if code == GRAPHICS_EXT_FUNC_CODE, DGifExtensionToGCB(Int(content[0]), content + 1, &control) == GIF_OK,
        control.TransparentColor >= 0
      {
        transparentIndex = Int(control.TransparentColor)
      }
      guard DGifGetExtensionNext(file, &block) == GIF_OK else { throw .damaged(message) }
    }
    return transparentIndex
  }

  private static func words(_ code: Int32) -> String {
    GifErrorString(code).map { String(cString: $0) } ?? "the file ends too early"
  }
}
