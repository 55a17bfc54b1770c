import Features
import Imaging
import Library

/// Brings an index up to date, without a map.
public struct IndexJob {
  /// Folders and files to read.
  public var roots: [BytePath]
  /// Which files are taken, and how they are decoded.
  public var ingestion = IngestionSettings()
  /// Where the index is.
  public var place: IndexPlace
  /// What computes the vectors.
  public var model = ModelRequest()
  /// Whether the index is made anew, whatever is in it.
  public var rebuilds = false
  /// Whether pictures may be gone in numbers that look like a mistake.
  public var acceptsMissing = false

  /// A job for folders.
  public init(roots: [BytePath], place: IndexPlace) {
    self.roots = roots
    self.place = place
  }

  /// Whether the index may be made where it should be.
  public func check() throws(EngineError) { try place.check() }

  /// What came of it.
  public struct Report: Sendable {
    /// The index.
    public let path: BytePath
    /// What was read and what was known already.
    public let library: LibraryReport
    /// What computed.
    public let device: String
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Reads what changed.
  /// - Throws: `EngineError`; where there is no picture at all, its kind is `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    try check()
    let (index, model) = try place.open(model, rebuilds: rebuilds)
    do throws(EngineError) {
      var update = LibraryUpdate(
        roots: roots, ingestion: ingestion, index: index, model: model, compute: compute, cancellation: cancellation,
        events: events)
      update.fitsProjection = self.model.fitsProjection
      update.acceptsMissing = acceptsMissing
      if rebuilds, let old = try? LibraryIndex(reading: place.path) { try update.checkLosses(comparedWith: old) }
      let outcome = try update.run()
      try indexing { () throws(IndexError) in try index.replaceOld() }
      let start = ContinuousClock.now
      index.close()
      return Report(
        path: place.path, library: LibraryReport(outcome), device: compute.name,
        seconds: [
          ("scanning", outcome.scanSeconds), ("reading", outcome.readSeconds),
          ("closing", (ContinuousClock.now - start).inSeconds),
        ])
    } catch {
      place.discard(index)
      throw error
    }
  }
}
