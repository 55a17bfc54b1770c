/// A decoder of one file format. Each is one type of this shape in a file of its own, listed in `ImageCodecs.all`.
protocol ImageCodec: Sendable {
  /// The format it decodes.
  var format: ImageFormat { get }
  /// The library that does the work, with its version: `libpng 1.6.39`.
  var library: String { get }
  /// Reads what stands before the pixels. The bytes must outlive the result, which is good until the workspace's next
  /// file is opened.
  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource
}

/// A file of one picture, opened: its header is known, its pixels are still to be decoded.
protocol PictureSource {
  /// What the file says of the picture.
  var header: PictureHeader { get }

  /// The small picture that the file holds beside the large one, if it does: of the same colours, and turned as that.
  var thumbnail: (any PictureSource)? { get }

  /// How much memory decoding takes beside the file itself, in bytes; roughly, from above.
  func workingBytes(shortestSide: Int) -> Int

  /// Decodes the stored picture (not turned upright yet), with alpha flattened over white.
  ///
  /// - Parameters:
  ///   - shortestSide: a codec that can decode smaller pictures for less may do so as long as no side gets shorter
  ///     than this many pixels. `Int.max` asks for full size.
  ///   - consumer: takes the rows.
  ///   - workspace: what is kept from picture to picture.
  /// - Returns: whether all of the picture came out.
  /// - Throws: when less than half of it did, or the workspace's patience is at its end.
  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness
}

extension PictureSource {
  var thumbnail: (any PictureSource)? { nil }
}

/// What a file says of its picture.
struct PictureHeader {
  /// Stored pixels in a row.
  var width: Int
  /// Stored rows.
  var height: Int
  var exif = ExifFields()
}

/// Whether all of a picture could be decoded.
public enum Completeness: Sendable, Equatable {
  /// All of it.
  case complete
  /// The file is cut off or damaged, but most of the picture is there; the decoder's words.
  case partial(String)
}

/// The decoders of this build.
public enum ImageCodecs {
  static let all: [any ImageCodec] = {
    var codecs: [any ImageCodec] = [JPEGCodec(), PNGCodec(), BMPCodec()]
    #if !WITHOUT_WEBP
      codecs.append(WebPCodec())
    #endif
    #if !WITHOUT_GIF
      codecs.append(GIFCodec())
    #endif
    #if !WITHOUT_TIFF
      codecs.append(TIFFCodec())
    #endif
    #if !WITHOUT_HEIF
      codecs += [HEIFCodec(format: .heif), HEIFCodec(format: .avif)]
    #endif
    return codecs
  }()

  /// Every format that can be told apart, and the library that decodes it in this build, if any does.
  public static var formats: [(format: ImageFormat, library: String?)] {
    ImageFormat.allCases.map { format in (format, all.first { $0.format == format }?.library) }
  }

  /// The library that applies colour profiles, with its version.
  public static var colourLibrary: String { ColourConverter.library }

  /// The libraries of this build, each once, with their versions.
  public static var libraries: [String] {
    var libraries: [String] = []
    for library in formats.compactMap(\.library) where library != BMPCodec.builtIn && !libraries.contains(library) {
      libraries.append(library)
    }
    return libraries + [colourLibrary]
  }

  /// The decoder for a file that begins with these bytes.
  static func codec(for head: UnsafeRawBufferPointer) throws(ImagingError.Reason) -> any ImageCodec {
    guard !head.isEmpty else { throw .empty }
    guard let format = ImageFormat.recognise(head) else { throw .notAPicture(looksLike: Lookalike.describe(head)) }
    guard let codec = all.first(where: { $0.format == format }) else { throw .noCodec(format) }
    return codec
  }
}
