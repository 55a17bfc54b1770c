import CTurboJPEG

/// JPEG through libjpeg-turbo's TurboJPEG interface.
struct JPEGCodec: ImageCodec {
  let format = ImageFormat.jpeg
  let library = "libjpeg-turbo (TurboJPEG 2.1)"

  func open(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) -> any PictureSource {
    let markers = try JPEGMarkers(bytes)
    return JPEGSource(bytes: bytes, markers: markers, profile: markers.profile)
  }
}

/// A JPEG file whose header has been read.
private struct JPEGSource: PictureSource {
  let bytes: UnsafeRawBufferPointer
  let markers: JPEGMarkers
  let profile: [UInt8]?

  var header: PictureHeader {
    PictureHeader(width: markers.width, height: markers.height, exif: markers.exif)
  }

  var thumbnail: (any PictureSource)? {
    guard let bytes = markers.thumbnail, let small = try? JPEGMarkers(bytes) else { return nil }
    return JPEGSource(bytes: bytes, markers: small, profile: profile)
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
    if channels == 4 {
      // Inks are converted row by row, since there is no reducing them.
      consumer.begin(width: width, height: height, colours: StoredColours())
      passInks(pixels, width: width, profile: profile, to: consumer, converter: workspace.colours)
      return warning.map(Completeness.partial) ?? .complete
    }
    let space: StoredColours.Space = markers.components.count == 1 ? .grey : .rgb
    consumer.begin(width: width, height: height, colours: StoredColours(space: space, profile: profile))
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
    _ pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, profile: [UInt8]?, to consumer: some RowConsumer,
    converter: ColourConverter
  ) {
    let isInverted = markers.hasAdobeMarker
    let profile = profile.flatMap { converter.canConvertInks($0, isInverted: isInverted) ? $0 : nil }
    var converted = [UInt8](repeating: 0, count: width * 3)
    converted.withUnsafeMutableBufferPointer { out in
      for start in stride(from: 0, to: pixels.count, by: width * 4) {
        let row = UnsafeBufferPointer(rebasing: pixels[start..<start + width * 4])
        if let profile {
          converter.convertInks(row, profile: profile, isInverted: isInverted, to: out)
        } else {
          convertCMYK(row, to: out)
        }
        consumer.append(UnsafeBufferPointer(out))
      }
    }
  }

  /// Four colours to three, without a profile: each ink takes its share of the light.
  private func convertCMYK(_ row: UnsafeBufferPointer<UInt8>, to out: UnsafeMutableBufferPointer<UInt8>) {
    let inversion: UInt8 = markers.hasAdobeMarker ? 0 : 255
    for x in 0..<row.count / 4 {
      let black = Int(row[x * 4 + 3] ^ inversion)
      for channel in 0..<3 {
        out[x * 3 + channel] = UInt8((Int(row[x * 4 + channel] ^ inversion) * black + 127) / 255)
      }
    }
  }
}
