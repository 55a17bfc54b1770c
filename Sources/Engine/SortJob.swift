import Atlas
import Compute
import Features
import Foundation
import Imaging
import Sorting

/// The main job: from folders of pictures to a map.
public struct SortJob {
  /// Folders and files to read.
  public var roots: [BytePath]
  /// Which files are taken, and how they are decoded.
  public var ingestion = IngestionSettings()
  /// The folder that the map is written to.
  public var destination: BytePath
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
    /// Which picture lies where.
    public let arrangement: Arrangement
    /// Pictures on the map.
    public let pictureCount: Int
    /// Files that couldn't be read.
    public let failureCount: Int
    /// Files that were passed over, by kind.
    public let skipped: [String: Int]
    /// The quality of the map; nil where it isn't defined.
    public let quality: Double?
    /// The quality of a random arrangement of the same pictures.
    public let randomQuality: Double?
    /// What sorted.
    public let device: String
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Reads, sorts, measures and writes.
  /// - Throws: `EngineError`; where there is nothing to sort, its kind is `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    let destination = try destination.absolute()
    try checkPlace(destination)
    var writer = MapWriter(destination: destination)
    writer.replacesForeignFolder = replacesForeignFolder
    writer.pictureWidth = sheetWidth
    writer.threadCount = compute.threads
    // Before hours of work rather than after.
    try mapping { () throws(AtlasError) in try writer.check() }
    let library = try LibraryReader(
      roots: roots, ingestion: ingestion, compute: compute, cancellation: cancellation, events: events
    ).read()
    guard !library.pictures.isEmpty else {
      let count = library.failures.count
      throw EngineError(
        .nothingUsable,
        count == 1 ? "the only file couldn't be read as a picture" : "none of \(count) files could be read as a picture"
      )
    }

    let mix = VectorMix(library.vectors, contentWeight: contentWeight)
    let packed = PackedVectors(
      count: library.pictures.count, dimensions: mix.dimensionCount, bytes: mix.pack(library.vectors))
    let settings = tuning.settings(dimensions: packed.dimensions)
    let grid =
      try size.map { size throws(EngineError) in
        try Grid(size, edges: edges, for: packed.count, called: "pictures")
      } ?? Grid(fitting: packed.count, aspect: aspect, edges: edges)
    let place = holes.start(packed.count, on: grid, seed: settings.seed)
    let sorted = try timedSort(
      packed, on: grid, settings: settings, from: place, compute, cancellation, events.progress)
    sorted.notes.forEach(events.note)
    let start = ContinuousClock.now
    events.progress(JobProgress(stage: .measuring, done: 0, total: nil, rate: 0))
    let quality = MapQuality(of: sorted.arrangement, packed, settings: settings, compute, note: events.note)
    var seconds = [
      ("scanning", library.scanSeconds), ("reading", library.readSeconds), ("sorting", sorted.seconds),
      ("measuring", (ContinuousClock.now - start).inSeconds),
    ]

    let contents = contents(of: library, sorted, quality, settings, seconds)
    let drawing = StageProgress(.drawing, total: 1000, handler: events.progress)
    let report = try mapping { () throws(AtlasError) in
      try writer.write(
        contents, isCancelled: { cancellation.isRequested }, progress: { drawing.report($0 * 1000 / max($1, 1)) })
    }
    seconds.append(("drawing", report.seconds))
    if report.damagedThumbnailCount > 0 {
      events.note("\(report.damagedThumbnailCount) thumbnails couldn't be drawn; their cells are blank")
    }
    return Report(
      destination: destination, arrangement: sorted.arrangement, pictureCount: packed.count,
      failureCount: library.failures.count, skipped: library.skipped, quality: quality?.dpq,
      randomQuality: quality?.random, device: sorted.device, seconds: seconds)
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

  private func contents(
    of library: ReadLibrary, _ sorted: TimedSort, _ quality: MapQuality?, _ settings: SortingSettings,
    _ seconds: [(String, Double)]
  ) -> MapContents {
    let thumbnails = library.thumbnails
    var contents = MapContents(
      programVersion: programVersion, arrangement: sorted.arrangement, pictures: library.pictures,
      thumbnail: { try thumbnails.thumbnail($0) })
    contents.settings = settings
    contents.contentWeight = contentWeight
    contents.device = sorted.device
    contents.quality = quality.map { MapContents.Quality(dpq16: $0.dpq, random: $0.random) }
    contents.seconds = seconds.map { (stage: $0.0, seconds: $0.1) }
    contents.failures = library.failures
    contents.skipped = library.skipped
    contents.vectors = MapVectors(
      content: library.vectors.content, contentDimensions: Projection.outputCount,
      appearance: library.vectors.appearance, appearanceDimensions: AppearanceVector.count)
    return contents
  }

  /// Turns what `Atlas` throws into the engine's error.
  private func mapping<Result>(_ body: () throws(AtlasError) -> Result) throws(EngineError) -> Result {
    do throws(AtlasError) {
      return try body()
    } catch {
      if error.reason == .cancelled { throw .cancelled }
      throw EngineError(.failed, "\(error)")
    }
  }
}
