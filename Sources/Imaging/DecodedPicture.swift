/// What becomes of a picture file: the two small pictures that everything later works with, and a few facts.
public struct DecodedPicture: Sendable, Equatable {
  /// The open file that it was read from, which didn't change meanwhile. The file of that path may be another by now.
  public let source: FileIdentity
  /// Of all bytes of that file.
  public let contentHash: ContentHash
  /// Pixels in a row of the upright picture in the file.
  public let width: Int
  /// Rows of the upright picture in the file.
  public let height: Int
  /// What the file's first bytes said.
  public let format: ImageFormat
  /// How the stored picture had to be turned. The two pictures below are upright.
  public let orientation: Orientation
  /// When it was taken, local time as the camera knew it, `2021-07-04T12:34:56`; nil when the file doesn't say.
  public let takenAt: String?
  /// Whether all of the picture was there.
  public let completeness: Completeness
  /// The network's input: a square of `DecodingOptions.inputSide` pixels.
  public let input: RGBImage
  /// For showing: a square of `DecodingOptions.thumbnailSide` pixels, cropped round the centre.
  public let thumbnail: RGBImage
}

/// What a `DecodedPicture` says beside its pixels.
struct PictureFacts: Equatable {
  var source: FileIdentity
  var contentHash: ContentHash
  var width: Int
  var height: Int
  var format: ImageFormat
  var orientation: Orientation
  var takenAt: String?
  var completeness: Completeness
}

extension DecodedPicture {
  init(_ facts: PictureFacts, input: RGBImage, thumbnail: RGBImage) {
    self.init(
      source: facts.source, contentHash: facts.contentHash, width: facts.width, height: facts.height,
      format: facts.format,
      orientation: facts.orientation, takenAt: facts.takenAt, completeness: facts.completeness, input: input,
      thumbnail: thumbnail)
  }

  var facts: PictureFacts {
    PictureFacts(
      source: source, contentHash: contentHash, width: width, height: height, format: format, orientation: orientation,
      takenAt: takenAt,
      completeness: completeness)
  }
}
