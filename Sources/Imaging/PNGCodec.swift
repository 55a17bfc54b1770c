import CPNG

/// PNG through libpng, a row at a time.
struct PNGCodec: ImageCodec {
  let format = ImageFormat.png
  let library = "libpng " + String(cString: kiano_png_version())

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    PNGSource(bytes: bytes, chunks: try PNGChunks(bytes))
  }
}

/// A PNG file whose header has been read.
private struct PNGSource: PictureSource {
  let bytes: UnsafeRawBufferPointer
  let chunks: PNGChunks

  var header: PictureHeader {
    PictureHeader(width: chunks.width, height: chunks.height, exif: chunks.exif)
  }

  func workingBytes(shortestSide: Int) -> Int {
    // libpng keeps two rows of up to 8 bytes a pixel, we one of up to 4 and one of 3.
    chunks.width * 23 + (chunks.isInterlaced ? chunks.width * chunks.height * 4 : 0)
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    guard let reader = kiano_png_reader_create(bytes.bindMemory(to: UInt8.self).baseAddress!, bytes.count) else {
      throw .damaged("libpng can't start; is memory short?")
    }
    defer { kiano_png_reader_destroy(reader) }
    guard kiano_png_reader_start(reader) == 0 else { throw .damaged(message(of: reader)) }
    consumer.begin(width: chunks.width, height: chunks.height, colours: colours(of: reader, workspace.colours))
    return chunks.isInterlaced
      ? try decodeInterlaced(reader, into: consumer, workspace: workspace)
      : try decodeRows(reader, into: consumer, workspace: workspace)
  }

  private func decodeRows(
    _ reader: OpaquePointer, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let channels = Int(kiano_png_reader_channels(reader))
    let row = workspace.pixelBuffer(count: chunks.width * channels)
    let flattener = AlphaFlattener(width: chunks.width, channels: channels, workspace: workspace)
    for y in 0..<chunks.height {
      try workspace.patience.check()
      guard kiano_png_reader_read_row(reader, row.baseAddress!) == 0 else {
        guard y * 2 >= chunks.height else { throw .damaged(message(of: reader)) }
        consumer.appendMissing(rows: chunks.height - y, width: chunks.width)
        return .partial(message(of: reader))
      }
      flattener.pass(UnsafeBufferPointer(row), to: consumer)
    }
    return .complete
  }

  private func decodeInterlaced(
    _ reader: OpaquePointer, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let channels = Int(kiano_png_reader_channels(reader))
    let rowBytes = chunks.width * channels
    let pixels = workspace.pixelBuffer(count: rowBytes * chunks.height)
    pixels.update(repeating: 255)
    var completeness = Completeness.complete
    passes: for pass in 0..<7 {
      for y in 0..<chunks.height {
        try workspace.patience.check()
        if kiano_png_reader_read_row(reader, pixels.baseAddress! + y * rowBytes) == 0 { continue }
        // After five of the seven passes the picture is there at half its resolution.
        guard pass >= 5 else { throw .damaged(message(of: reader)) }
        completeness = .partial(message(of: reader))
        break passes
      }
    }
    let flattener = AlphaFlattener(width: chunks.width, channels: channels, workspace: workspace)
    for y in 0..<chunks.height {
      flattener.pass(UnsafeBufferPointer(rebasing: pixels[y * rowBytes..<(y + 1) * rowBytes]), to: consumer)
    }
    return completeness
  }

  private func colours(of reader: OpaquePointer, _ converter: ColourConverter) -> StoredColours {
    var count = 0
    let profile = kiano_png_reader_profile(reader, &count).map { UnsafeRawBufferPointer(start: $0, count: count) }
    return converter.colours(chunks.isGrey ? .grey : .rgb, profile: profile)
  }

  private func message(of reader: OpaquePointer) -> String {
    String(cString: kiano_png_reader_message(reader))
  }
}
