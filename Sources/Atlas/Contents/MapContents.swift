import Sorting

/// Everything that a map says.
public struct MapContents: Sendable {
  /// The program's version.
  public var programVersion: String
  /// Which picture lies where; its items are indices into `pictures`.
  public var arrangement: Arrangement
  /// The pictures.
  public var pictures: [MapPicture]
  /// What the arrangement depends on beside the vectors and the grid.
  public var settings = SortingSettings()
  /// How much content counts against appearance, 0...1.
  public var contentWeight = 0.5
  /// Stands for all that the map shows and how, so that one that is up to date needn't be made again; see
  /// `MapWriter.existing`.
  public var edition: String?
  /// What computed.
  public var device = ""
  /// How well the arrangement keeps distances; nil where that wasn't measured.
  public var quality: Quality?
  /// Seconds that the stages before this one took, in their order.
  public var seconds: [(stage: String, seconds: Double)] = []
  /// Files that are not on the map because something is wrong with them.
  public var failures: [MapFailure] = []
  /// How many files of each kind were left out because they aren't pictures.
  public var skipped: [String: Int] = [:]
  /// With which the page finds similar pictures; nil leaves that out.
  public var vectors: MapVectors?
  /// What the map that is being replaced showed, if its sheets are to be used again; nil draws all of them.
  public var last: LastMap?

  /// What the map that is being replaced showed. Numbers stand for what is shown, the same for the same thumbnail.
  public struct LastMap: Sendable, Equatable {
    /// Cells in a row.
    public let columns: Int
    /// What each cell showed, row by row; 0 for nothing.
    public let shown: [Int64]
    /// What each picture of the new map shows.
    public let pictures: [Int64]

    /// What was shown, and what is to be.
    /// - Precondition: the cells are whole rows.
    public init(columns: Int, shown: [Int64], pictures: [Int64]) {
      precondition(columns > 0 && shown.count.isMultiple(of: columns))
      self.columns = columns
      self.shown = shown
      self.pictures = pictures
    }
  }

  /// What the pictures look like.
  public var thumbnails: MapThumbnails

  /// Distance preservation quality.
  public struct Quality: Sendable, Equatable {
    /// DPQ16 of the arrangement.
    public let dpq16: Double
    /// DPQ16 of a random arrangement of the same vectors.
    public let random: Double

    /// A quality and what chance would give.
    public init(dpq16: Double, random: Double) {
      self.dpq16 = dpq16
      self.random = random
    }
  }

  /// A map of these pictures.
  /// - Precondition: the items of `arrangement` are indices into `pictures`.
  public init(
    programVersion: String, arrangement: Arrangement, pictures: [MapPicture],
    thumbnails: MapThumbnails
  ) {
    precondition(arrangement.items.allSatisfy { $0 < pictures.count }, "items are indices into the pictures")
    self.programVersion = programVersion
    self.arrangement = arrangement
    self.pictures = pictures
    self.thumbnails = thumbnails
  }
}
