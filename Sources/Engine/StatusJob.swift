import Imaging
import Library

/// Tells what is in an index, and what a run would do.
public struct StatusJob {
  /// Where the index is.
  public var place: IndexPlace
  /// How files would be decoded, and on how many threads.
  public var ingestion = IngestionSettings()
  /// Whether the folders are looked at.
  public var looksAtFolders = true
  /// Whether all of the index is read and checked.
  public var verifies = false

  /// A job for an index.
  public init(place: IndexPlace) {
    self.place = place
  }

  /// What there is.
  public struct Report: Sendable {
    /// The index.
    public let path: BytePath
    /// What is in it.
    public let status: IndexStatus
    /// What the next run of the same command would do; nil where that wasn't asked for.
    public let preview: PreviewJob.Report?
    /// What keeps the next run from going, in words: folders that can't be looked at, or a network that isn't there;
    /// nil where nothing does.
    public let problem: String?
  }

  /// Reads the index, and scans the folders.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    let index = try place.openForReading()
    let (status, rules) = try indexing { () throws(IndexError) in
      if verifies { try index.verify() }
      return (try index.status(), try index.rules)
    }
    var preview: PreviewJob.Report?
    var problem: String?
    if looksAtFolders, !status.roots.isEmpty {
      var job = PreviewJob(roots: status.roots, place: place)
      job.ingestion = ingestion
      job.ingestion.scan = rules
      job.keepsLastLimits = true
      do throws(EngineError) {
        preview = try job.run(on: index, compute, cancellation, events)
      } catch {
        if error.kind != .nothingUsable { throw error }
        problem = "the folders can't be looked at: \(error.description)"
      }
    }
    do throws(EngineError) {
      _ = try ModelRequest().model(of: index)
    } catch {
      problem = error.description
    }
    return Report(path: place.path, status: status, preview: preview, problem: problem)
  }
}

/// Forgets pictures whose files are gone.
public struct PruneJob {
  /// Where the index is.
  public var place: IndexPlace
  /// Whether pictures that the last run left out, or wasn't about, are forgotten too.
  public var includesLeftOut = false
  /// Whether it is only counted.
  public var isDryRun = false

  /// A job for an index.
  public init(place: IndexPlace) {
    self.place = place
  }

  /// Forgets them.
  /// - Returns: what was forgotten, or would be.
  public func run() throws(EngineError) -> LibraryIndex.Pruning {
    guard place.isThere else { return try prune(place.openForReading()) }
    return try prune(isDryRun ? place.openForReading() : place.openToChange())
  }

  private func prune(_ index: LibraryIndex) throws(EngineError) -> LibraryIndex.Pruning {
    try indexing { () throws(IndexError) in
      try index.prune(includesLeftOut: includesLeftOut, dryRun: isDryRun)
    }
  }
}
