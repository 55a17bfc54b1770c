import CTurboJPEG

/// JPEG through libjpeg-turbo's TurboJPEG interface.
struct JPEGCodec: ImageCodec {
  let format = ImageFormat.jpeg
  let library = "libjpeg-turbo (TurboJPEG 2.1)"

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    try workspace.jpeg.read(bytes)
    return workspace.jpeg
  }
}

/// A JPEG file whose header has been read; one after the other, since most pictures are JPEG files.
final class JPEGSource: PictureSource {
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var markers = JPEGMarkers()
  /// The picture whose thumbnail this is: it has the profile.
  private unowned var whole: JPEGSource? = nil
  private lazy var small = JPEGSource()

  init() {}

  /// Reads what stands before the pixels of the next file.
  func read(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    self.bytes = bytes
    try markers.read(bytes)
  }

  var header: PictureHeader {
    PictureHeader(width: markers.width, height: markers.height, exif: markers.exif)
  }

  var thumbnail: (any PictureSource)? {
    guard let bytes = markers.thumbnail, (try? small.read(bytes)) != nil else { return nil }
    small.whole = self
    return small
  }

  func workingBytes(shortestSide: Int) -> Int {
    let size = scaledSize(shortestSide: shortestSide)
    return markers.coefficientBytes + size.width * size.height * channels
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let (width, height) = scaledSize(shortestSide: shortestSide)
    let pixels = workspace.pixelBuffer(count: width * height * channels)
    let warning = try decompress(to: pixels, width: width, height: height, workspace: workspace)

    if warning != nil, missingRows(pixels, width: width, height: height) * 2 > height {
      throw .damaged("more than half of the picture is missing")
    }
    let profile = (whole ?? self).markers.profile(workspace.profileBuffer)
    if channels == 4 {
      // Inks are converted row by row, since there is no reducing them.
      consumer.begin(width: width, height: height, colours: StoredColours())
      passInks(pixels, width: width, profile: profile, to: consumer, workspace: workspace)
      return warning.map(Completeness.partial) ?? .complete
    }
    let colours = workspace.colours.colours(markers.components.count == 1 ? .grey : .rgb, profile: profile)
    consumer.begin(width: width, height: height, colours: colours)
    for y in 0..<height {
      consumer.append(UnsafeBufferPointer(rebasing: pixels[y * width * 3..<(y + 1) * width * 3]))
    }
    return warning.map(Completeness.partial) ?? .complete
  }

  /// Bytes a pixel in the decoder's output: CMYK can't be had as RGB.
  private var channels: Int { markers.components.count == 4 ? 4 : 3 }

  /// The picture's size at the smallest of the scales 1/8, 2/8, ... 8/8 at which no side gets shorter than asked for.
  private func scaledSize(shortestSide: Int) -> (width: Int, height: Int) {
    let scales = shortestSide == .max ? 8...8 : 1...8
    for eighths in scales {
      let width = (markers.width * eighths + 7) / 8
      let height = (markers.height * eighths + 7) / 8
      if min(width, height) >= shortestSide { return (width, height) }
    }
    return (markers.width, markers.height)
  }

  /// - Returns: the decoder's warning, if it had one.
  private func decompress(
    to pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> String? {
    guard let handle = workspace.turboJPEG() else { throw .damaged("TurboJPEG can't start; is memory short?") }
    let source = bytes.bindMemory(to: UInt8.self).baseAddress
    // It fails for unusual chroma sampling, which decoding takes, but leaves the size.
    var size = (width: Int32(0), height: Int32(0), sampling: Int32(0), colours: Int32(0))
    tjDecompressHeader3(
      handle, source, UInt(bytes.count), &size.width, &size.height, &size.sampling, &size.colours)
    guard Int(size.width) == markers.width, Int(size.height) == markers.height else {
      defer { workspace.dropTurboJPEG() }
      throw .damaged(String(cString: tjGetErrorStr2(handle)))
    }
    let layout = channels == 4 ? TJPF_CMYK : TJPF_RGB
    // A file may pile up scans that each pass over the whole picture; the flag ends that at 500.
    let status = tjDecompress2(
      handle, source, UInt(bytes.count), pixels.baseAddress, Int32(width), Int32(width * channels), Int32(height),
      Int32(layout.rawValue), TJFLAG_LIMITSCANS)
    if status == 0 { return nil }
    defer { workspace.dropTurboJPEG() }
    let words = String(cString: tjGetErrorStr2(handle))
    guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { throw .damaged(words) }
    return words
  }

  /// How many rows at the end were never in the file: the decoder fills them with coefficients of zero, which is the
  /// middle grey.
  private func missingRows(_ pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> Int {
    let firstMissing = pixels.lastIndex { $0 != 128 && $0 != 127 }.map { $0 / (width * channels) + 1 } ?? 0
    return height - firstMissing
  }

  private func passInks(
    _ pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, profile: UnsafeRawBufferPointer?,
    to consumer: some RowConsumer, workspace: DecodingWorkspace
  ) {
    let inks = InkConverter(
      width: width, isInverted: markers.hasAdobeMarker, profile: profile, workspace: workspace)
    for start in stride(from: 0, to: pixels.count, by: width * 4) {
      inks.pass(UnsafeBufferPointer(rebasing: pixels[start..<start + width * 4]), to: consumer)
    }
  }
}
