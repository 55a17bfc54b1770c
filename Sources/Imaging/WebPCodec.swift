import CWebP

/// WebP through libwebp; of animations the first frame.
struct WebPCodec: ImageCodec {
  let format = ImageFormat.webp
  var library: String {
    let version = WebPGetDecoderVersion()
    return "libwebp \(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    try WebPSource(bytes)
  }
}

/// A WebP file whose header has been read.
private struct WebPSource: PictureSource {
  /// How much of a file libwebp is given at once, in bytes.
  private static let portion = 1 << 16

  let header: PictureHeader
  /// The compressed first frame.
  private let frame: UnsafeRawBufferPointer
  private let frameSize: (width: Int, height: Int)
  private let origin: (x: Int, y: Int)
  private let hasAlpha: Bool
  private let profile: UnsafeRawBufferPointer?

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    var data = WebPData(bytes: bytes.bindMemory(to: UInt8.self).baseAddress, size: bytes.count)
    var state = WEBP_DEMUX_PARSING_HEADER
    // A file that is cut off may still hold most of its picture.
    guard let demuxer = WebPDemuxPartial(&data, &state) else { throw .damaged("its chunks don't add up") }
    defer { WebPDemuxDelete(demuxer) }
    var iterator = WebPIterator()
    defer { WebPDemuxReleaseIterator(&iterator) }
    guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0, let start = iterator.fragment.bytes else {
      throw .damaged("the file ends before its picture")
    }
    frame = UnsafeRawBufferPointer(start: start, count: iterator.fragment.size)
    frameSize = (Int(iterator.width), Int(iterator.height))
    origin = (Int(iterator.x_offset), Int(iterator.y_offset))
    hasAlpha = iterator.has_alpha != 0

    var header = PictureHeader(
      width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
      height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
    guard header.width > 0, header.height > 0 else { throw .damaged("its header declares no pixels") }
    header.exif = Self.chunk("EXIF", of: demuxer) { Self.exif(in: $0) } ?? ExifFields()
    self.header = header
    profile = Self.chunk("ICCP", of: demuxer) { $0 }
  }

  func workingBytes(shortestSide: Int) -> Int {
    let size = scaledSize(shortestSide: shortestSide)
    // Lossless files are decoded whole, in 32 bits, before they are scaled; we keep the result.
    return frameSize.width * frameSize.height * 4 + size.width * size.height * channels
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    if coversPicture { return try decodeFrame(shortestSide: shortestSide, into: consumer, workspace: workspace) }
    let canvas = FrameCanvas(size: (header.width, header.height), origin: origin, consumer: consumer)
    return try decodeFrame(shortestSide: .max, into: canvas, workspace: workspace)
  }

  private var coversPicture: Bool { frameSize == (header.width, header.height) }

  private var channels: Int { hasAlpha ? 4 : 3 }

  /// The decoder scales by area as it goes; twice the size asked for leaves the fine work to us.
  private func scaledSize(shortestSide: Int) -> (width: Int, height: Int) {
    let shortest = min(frameSize.width, frameSize.height)
    guard coversPicture, shortestSide < shortest / 2 else { return frameSize }
    let target = shortestSide * 2
    return (
      max(target, frameSize.width * target / shortest), max(target, frameSize.height * target / shortest)
    )
  }

  private func decodeFrame(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let (width, height) = scaledSize(shortestSide: shortestSide)
    let pixels = workspace.pixelBuffer(count: width * height * channels)
    let rows = try decompress(to: pixels, width: width, height: height, workspace.patience)
    guard rows * 2 >= height else { throw .damaged("more than half of the picture is missing") }

    let colours = workspace.colours.colours(.rgb, profile: profile)
    consumer.begin(width: width, height: height, colours: colours)
    let flattener = AlphaFlattener(width: width, channels: channels, workspace: workspace)
    let rowBytes = width * channels
    for y in 0..<rows {
      flattener.pass(UnsafeBufferPointer(rebasing: pixels[y * rowBytes..<(y + 1) * rowBytes]), to: consumer)
    }
    consumer.appendMissing(rows: height - rows, width: width)
    return rows == height ? .complete : .partial("the file ends too early")
  }

  /// - Returns: how many rows came out.
  private func decompress(
    to pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, _ patience: DecodingPatience
  ) throws(ImagingError.Reason) -> Int {
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else { throw .damaged("libwebp has another version than its headers") }
    config.options.use_scaling = (width, height) == frameSize ? 0 : 1
    config.options.scaled_width = Int32(width)
    config.options.scaled_height = Int32(height)
    config.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
    config.output.is_external_memory = 1
    config.output.u.RGBA = WebPRGBABuffer(
      rgba: pixels.baseAddress, stride: Int32(width * channels), size: pixels.count)

    // The incremental decoder is the one that tells how far it came.
    guard let decoder = WebPIDecode(nil, 0, &config) else { throw .damaged("libwebp can't start; is memory short?") }
    defer { WebPIDelete(decoder) }
    // In portions, between which it can be given up.
    var status = VP8_STATUS_SUSPENDED
    var count = 0
    while count < frame.count, status == VP8_STATUS_SUSPENDED {
      try patience.check()
      count = min(count + Self.portion, frame.count)
      status = WebPIUpdate(decoder, frame.bindMemory(to: UInt8.self).baseAddress, count)
    }
    if status == VP8_STATUS_OK { return height }
    guard status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA else {
      throw .damaged("libwebp gives up (status \(status.rawValue))")
    }
    var rows: Int32 = 0
    return WebPIDecGetRGB(decoder, &rows, nil, nil, nil) == nil ? 0 : Int(rows)
  }

  private static func chunk<Result>(
    _ name: String, of demuxer: OpaquePointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    var iterator = WebPChunkIterator()
    defer { WebPDemuxReleaseChunkIterator(&iterator) }
    guard WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
    return body(UnsafeRawBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
  }

  /// The chunk is a TIFF structure; some writers put JPEG's prefix before it.
  private static func exif(in chunk: UnsafeRawBufferPointer) -> ExifFields {
    ExifFields(tiff: chunk.has("Exif\0\0") ? UnsafeRawBufferPointer(rebasing: chunk[6...]) : chunk)
  }
}
