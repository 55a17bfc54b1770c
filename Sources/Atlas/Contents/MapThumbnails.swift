/// The thumbnails of a map's pictures, square JPEG files. Both are called from several threads at once.
///
/// Those of `ThumbnailEncoder` are put into the map as they are; others are decoded and encoded again.
public struct MapThumbnails: Sendable {
  /// The thumbnail of picture number i, 128 pixels wide.
  public let full: @Sendable (Int) throws -> [UInt8]
  /// The thumbnail of picture number i, 64 pixels wide, or 128.
  public let half: @Sendable (Int) throws -> [UInt8]

  /// Thumbnails of both sizes.
  public init(full: @escaping @Sendable (Int) throws -> [UInt8], half: @escaping @Sendable (Int) throws -> [UInt8]) {
    self.full = full
    self.half = half
  }
}
