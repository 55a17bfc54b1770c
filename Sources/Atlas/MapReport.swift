/// What a map that was written is made of.
public struct MapReport: Sendable, Equatable {
  /// Sheets in `tiles/`.
  public let sheetCount: Int
  /// Those of them that show what they showed before, and weren't drawn again.
  public let reusedSheetCount: Int
  /// The size of `map.png` in pixels; nil where the map has more columns than the picture may have pixels.
  public let picture: PictureSize?
  /// Thumbnails that couldn't be decoded; their cells are blank.
  public let damagedThumbnailCount: Int
  /// Seconds that drawing and writing took.
  public let seconds: Double

  /// Width and height in pixels.
  public struct PictureSize: Sendable, Equatable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
  }
}
