import CTIFF

/// TIFF and BigTIFF through libtiff; of several pages the first.
struct TIFFCodec: ImageCodec {
  let format = ImageFormat.tiff
  let library: String = {
    // "LIBTIFF, Version 4.5.0", and a copyright in the lines below.
    let line = String(cString: kiano_tiff_version()).prefix { $0 != "\n" }
    return "libtiff " + (line.split(separator: " ").last ?? "")
  }()

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    try TIFFSource(bytes)
  }
}

/// A TIFF file whose first directory has been read.
private final class TIFFSource: PictureSource {
  /// More than a row of tiles, or a strip, of any picture within the limits has.
  private static let largestAllocation = 1 << 30

  let header: PictureHeader
  private let reader: OpaquePointer
  private let stored: kiano_tiff_header

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    guard
      let reader = kiano_tiff_reader_create(
        bytes.bindMemory(to: UInt8.self).baseAddress!, bytes.count, Self.largestAllocation)
    else { throw .damaged("libtiff can't start; is memory short?") }
    var stored = kiano_tiff_header()
    guard kiano_tiff_reader_open(reader, &stored) == 0 else {
      defer { kiano_tiff_reader_destroy(reader) }
      throw .damaged(Self.message(of: reader))
    }
    guard stored.width > 0, stored.height > 0, stored.width <= Int32.max, stored.height <= Int32.max else {
      kiano_tiff_reader_destroy(reader)
      throw .damaged("its header declares \(stored.width) x \(stored.height) pixels")
    }
    var exif = ExifFields(tiff: bytes)
    // libtiff knows it in BigTIFF files too.
    exif.orientation = Orientation(tag: Int(stored.orientation))
    header = PictureHeader(width: Int(stored.width), height: Int(stored.height), exif: exif)
    (self.reader, self.stored) = (reader, stored)
  }

  deinit {
    kiano_tiff_reader_destroy(reader)
  }

  func workingBytes(shortestSide: Int) -> Int {
    // The samples of a block, at up to 2 bytes each, and its pixels.
    header.width * rowsPerBlock * (4 + 2 * min(8, Int(stored.samples_per_pixel)))
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    guard kiano_tiff_reader_start(reader) == 0 else { throw .unsupported(.tiff, Self.message(of: reader)) }
    let pixels = workspace.pixelBuffer(count: header.width * 4 * rowsPerBlock)
    let isInks = kiano_tiff_reader_has_inks(reader) != 0
    // Inks are converted row by row, since there is no reducing them.
    let colours = isInks ? StoredColours() : colours(workspace.colours)
    consumer.begin(width: header.width, height: header.height, colours: colours)
    if isInks {
      let inks = InkConverter(width: header.width, isInverted: false, profile: profile, workspace: workspace)
      return try decodeRows(patience: workspace.patience, to: pixels, consumer) { inks.pass($0, to: consumer) }
    }
    let flattener = AlphaFlattener(width: header.width, channels: 4, isPremultiplied: true, workspace: workspace)
    return try decodeRows(patience: workspace.patience, to: pixels, consumer) { flattener.pass($0, to: consumer) }
  }

  private func decodeRows(
    patience: DecodingPatience, to pixels: UnsafeMutableBufferPointer<UInt8>, _ consumer: some RowConsumer,
    pass: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(ImagingError.Reason) -> Completeness {
    let rowBytes = header.width * 4
    for first in stride(from: 0, to: header.height, by: rowsPerBlock) {
      try patience.check()
      let count = min(rowsPerBlock, header.height - first)
      guard kiano_tiff_reader_read_rows(reader, UInt32(first), UInt32(count), pixels.baseAddress!) == 0 else {
        guard first * 2 >= header.height else { throw .damaged(Self.message(of: reader)) }
        consumer.appendMissing(rows: header.height - first, width: header.width)
        return .partial(Self.message(of: reader))
      }
      for y in 0..<count {
        pass(UnsafeBufferPointer(rebasing: pixels[y * rowBytes..<(y + 1) * rowBytes]))
      }
    }
    return .complete
  }

  private var rowsPerBlock: Int { min(max(1, Int(stored.rows_per_block)), header.height) }

  private var profile: UnsafeRawBufferPointer? {
    stored.profile.map { UnsafeRawBufferPointer(start: $0, count: Int(stored.profile_count)) }
  }

  /// libtiff has made RGB of Lab, so that profiles of that no longer apply.
  private func colours(_ converter: ColourConverter) -> StoredColours {
    converter.colours(stored.photometric <= 1 ? .grey : .rgb, profile: profile)
  }

  private static func message(of reader: OpaquePointer) -> String {
    let words = String(cString: kiano_tiff_reader_message(reader))
    return words.isEmpty ? "libtiff gives up" : words
  }
}
