import Atlas
import Compute
import Features
import Foundation
import Imaging
import Library
import Sorting

/// The main job: from folders of pictures to a map.
public struct SortJob {
  /// Folders and files to read.
  public var roots: [BytePath]
  /// Which files are taken, and how they are decoded.
  public var ingestion = IngestionSettings()
  /// The folder that the map is written to.
  public var destination: BytePath
  /// The index; nil for the one in the map's folder.
  public var index: BytePath?
  /// What computes the vectors.
  public var model = ModelRequest()
  /// Whether the index is made anew, whatever is in it.
  public var rebuilds = false
  /// Whether pictures may be gone in numbers that look like a mistake.
  public var acceptsMissing = false
  /// Whether the map is sorted from the beginning rather than from the last one.
  public var isFresh = false
  /// How much what a picture shows counts against what it looks like, 0...1.
  public var contentWeight = 0.5
  /// Preset, seed, and what differs from the preset.
  public var tuning = SortingTuning()
  /// What lies beyond the map's edges.
  public var edges = Grid.Edges.torus
  /// The grid's size; nil for one that fits.
  public var size: (columns: Int, rows: Int)?
  /// Where cells without a picture are.
  public var holes = HolePlace.anywhere
  /// The width over the height that the map should have, where its size isn't given.
  public var aspect = 1.0
  /// The widest that `map.png` may be, in pixels.
  public var sheetWidth = 4096
  /// Whether that picture is a PNG or a JPEG file.
  public var sheetFormat = SheetFormat.png
  /// Further files with the map's order, in its folder.
  public var exports: [MapExport] = []
  /// A folder for links to the pictures in the map's order; nil makes none.
  public var links: BytePath?
  /// The way through the map that exports and links follow.
  public var path = CellPath.snake
  /// Has `leaflet.min.js` and `leaflet.css`; nil for the system's.
  public var leafletFolder: BytePath?
  /// Whether a folder that isn't a map may be replaced.
  public var replacesForeignFolder = false
  /// Says in the map which version made it.
  public var programVersion: String

  /// A job for folders.
  public init(roots: [BytePath], destination: BytePath, programVersion: String) {
    self.roots = roots
    self.destination = destination
    self.programVersion = programVersion
  }

  /// What came of it.
  public struct Report: Sendable {
    /// The folder of the map.
    public let destination: BytePath
    /// What was read and what was known already.
    public let library: LibraryReport
    /// The map; nil where the one that lies there already shows all of this.
    public let map: Map?
    /// The map that lies there already and shows all of this; nil where one was made.
    public let existing: MapSummary?

    /// A map that was made.
    public struct Map: Sendable {
      /// Which picture lies where.
      public let arrangement: Arrangement
      /// Whether the sort went on from the last map.
      public let isContinued: Bool
      /// The quality of the map; nil where it isn't defined.
      public let quality: Double?
      /// The quality of a random arrangement of the same pictures.
      public let randomQuality: Double?
      /// What sorted.
      public let device: String
    }
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Reads what changed, sorts, measures and writes.
  /// - Throws: `EngineError`; where there is nothing to sort, its kind is `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    let destination = try destination.absolute()
    try checkPlace(destination)
    var writer = MapWriter(destination: destination)
    writer.replacesForeignFolder = replacesForeignFolder
    writer.pictureWidth = sheetWidth
    writer.pictureFormat = sheetFormat
    writer.exports = MapExport.allCases.filter(exports.contains)
    writer.path = path
    if let leafletFolder { writer.leafletFolder = leafletFolder }
    writer.threadCount = compute.threads
    // Before hours of work rather than after.
    let links = try links.map { links throws(EngineError) in LinkFolder(try links.absolute(), order: path) }
    try mapping { () throws(AtlasError) in
      try writer.check()
      try links?.check()
    }
    let place = try IndexPlace(index: index, map: destination)
    let (index, model) = try place.open(model, rebuilds: rebuilds)
    do throws(EngineError) {
      return try run(writer, links, index, model, compute, cancellation, events)
    } catch {
      place.discard(index)
      throw error
    }
  }

  private func run(
    _ writer: MapWriter, _ links: LinkFolder?, _ index: LibraryIndex, _ model: NetworkModel,
    _ compute: ComputeChoice, _ cancellation: Cancellation, _ events: JobEvents
  ) throws(EngineError) -> Report {
    var update = LibraryUpdate(
      roots: roots, ingestion: ingestion, index: index, model: model, compute: compute, cancellation: cancellation,
      events: events)
    update.fitsProjection = self.model.fitsProjection
    update.acceptsMissing = acceptsMissing
    if rebuilds, let old = try? LibraryIndex(reading: index.path) { try update.checkLosses(comparedWith: old) }
    let outcome = try update.run()
    try indexing { () throws(IndexError) in try index.replaceOld() }
    let library = LibraryReport(outcome)
    guard library.pictureCount > 0 else {
      let count = library.failureCount
      throw EngineError(
        .nothingUsable,
        count == 1 ? "the only file couldn't be read as a picture" : "none of \(count) files could be read as a picture"
      )
    }
    var seconds = [("scanning", outcome.scanSeconds), ("reading", outcome.readSeconds)]
    let work = MapWork(job: self, writer: writer, links: links, index: index, outcome: outcome)
    let wanted = try indexing { () throws(IndexError) in try work.edition() }
    let existing = writer.existing
    if links == nil, existing?.edition.map(wanted.isMet) == true {
      return Report(
        destination: writer.destination, library: library, map: nil, existing: existing, seconds: seconds)
    }
    let map = try work.run(wanted, compute, cancellation, events, seconds: &seconds)
    return Report(destination: writer.destination, library: library, map: map, existing: nil, seconds: seconds)
  }

  /// Whether the map could be written, as far as can be told without writing anything.
  public func check() throws(EngineError) {
    let destination = try destination.absolute()
    try checkPlace(destination)
    var writer = MapWriter(destination: destination)
    writer.replacesForeignFolder = replacesForeignFolder
    try mapping { () throws(AtlasError) in try writer.checkFolder() }
  }

  /// The map's folder is put in place by renaming, so it can't be one that is in use.
  private func checkPlace(_ destination: BytePath) throws(EngineError) {
    guard let place = destination.resolved() else { return }
    for root in roots {
      if let folder = try root.absolute().resolved(), place.contains(folder) {
        throw EngineError(
          .failed, "\(destination.displayName) holds the pictures themselves; choose another folder for the map")
      }
    }
    if let folder = BytePath(".").resolved(), place.contains(folder) {
      throw EngineError(
        .failed, "\(destination.displayName) is the folder that you are in; change to another, or choose another map")
    }
  }
}

/// Turns what `Atlas` throws into the engine's error.
func mapping<Result>(_ body: () throws(AtlasError) -> Result) throws(EngineError) -> Result {
  do throws(AtlasError) {
    return try body()
  } catch {
    if error.reason == .cancelled { throw .cancelled }
    throw EngineError(.failed, "\(error)")
  }
}
