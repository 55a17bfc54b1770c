import Features
import Foundation
import Imaging
import Library

/// Tells what a run would do, and does nothing of it.
public struct PreviewJob {
  /// Folders and files to look at; empty for those of the last run.
  public var roots: [BytePath]
  /// Which files are taken, and how they would be decoded.
  public var ingestion = IngestionSettings()
  /// Where the index is, or would be.
  public var place: IndexPlace
  /// Whether a map would be made too.
  public var includesMap = false
  /// Whether the limits of decoding are those of the last run.
  var keepsLastLimits = false
  /// What would compute the vectors.
  public var model = ModelRequest()
  /// Whether the index would be made anew.
  public var rebuilds = false

  /// A job for folders.
  public init(roots: [BytePath], place: IndexPlace) {
    self.roots = roots
    self.place = place
  }

  /// What a run would do.
  public struct Report: Sendable {
    /// What it would find.
    public let library: LibraryReport
    /// Files that it would read.
    public let toReadCount: Int
    /// Their size in bytes.
    public let bytesToRead: Int64
    /// How long it would take, in seconds; nil where nothing tells.
    public let seconds: Double?
    /// Why it would ask before it goes on, in words; empty where it wouldn't.
    public let questions: [String]
  }

  /// Files that are decoded to learn how long it takes, where no earlier run tells.
  private static let sampleCount = 32
  /// Sorting, measuring and drawing, roughly, on one thread.
  private static let mapSecondsPerPicture = 1e-3

  /// Scans and compares.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    let index =
      place.isThere && !rebuilds
      ? try place.openForReading() : try indexing { () throws(IndexError) in try LibraryIndex() }
    return try run(on: index, compute, cancellation, events)
  }

  func run(
    on index: LibraryIndex, _ compute: ComputeChoice, _ cancellation: Cancellation, _ events: JobEvents
  ) throws(EngineError) -> Report {
    let made = try indexing { () throws(IndexError) in try index.model }
    // What would be read can be told without the network of the index; how long it takes can't.
    let network = model.name == nil ? try? model.model(for: made) : try model.model(for: made)
    var update = LibraryUpdate(
      roots: roots, ingestion: ingestion, index: index, model: network ?? .kiano, compute: compute,
      cancellation: cancellation,
      events: events)
    if keepsLastLimits {
      let own = update.conditions
      update.conditions = try indexing { () throws(IndexError) in try index.withLastLimits(own) }
    }
    let outcome = try update.compare()
    let changes = outcome.changes
    var seconds = try indexing { () throws(IndexError) -> Double? in
      if changes.toReadCount == 0 { return 0 }
      let status = try index.status()
      if status.readCount >= 2 * Self.sampleCount {
        return status.readSeconds / Double(status.readCount) * Double(changes.toReadCount)
      }
      return try secondsPerFile(index, update.ingestion, network, compute, cancellation).map {
        $0 * Double(changes.toReadCount)
      }
    }
    if includesMap, let reading = seconds, !changes.isEmpty {
      let count = Double(changes.unchangedCount + changes.toReadCount)
      seconds = reading + count * Self.mapSecondsPerPicture / Double(min(compute.threads, 8))
    }
    return Report(
      library: LibraryReport(outcome), toReadCount: changes.toReadCount, bytesToRead: changes.bytesToRead,
      seconds: seconds.map { $0 + outcome.scanSeconds }, questions: changes.losses.map(\.description))
  }

  /// What decoding and computing take, measured on some of the files.
  private func secondsPerFile(
    _ index: LibraryIndex, _ ingestion: IngestionSettings, _ model: NetworkModel?, _ compute: ComputeChoice,
    _ cancellation: Cancellation
  ) throws(IndexError) -> Double? {
    let files = try index.filesToRead(after: 0, limit: 4096)
    let step = max(1, files.count / Self.sampleCount)
    let sample = stride(from: 0, to: files.count, by: step).prefix(Self.sampleCount).map { files[$0].file.path }
    guard !sample.isEmpty, let content = model?.contentModelForDescriptors else { return nil }
    var extraction = Extraction(model: content, compute: compute)
    let decoder = ParallelDecoder(
      decoder: PictureDecoder(options: ingestion.decoding), isolation: ingestion.isolation,
      threadCount: compute.threads)
    // The first computation compiles.
    _ = try? extraction.vectors([UInt8](repeating: 0, count: extraction.pictureByteCount)) { _ in }
    let start = ContinuousClock.now
    var inputs: [UInt8] = []
    decoder.decode(sample, isCancelled: { cancellation.isRequested }) { _, result in
      if case .success(let picture) = result { inputs += picture.input.pixels }
    }
    _ = try? extraction.vectors(inputs) { _ in }
    return (ContinuousClock.now - start).inSeconds / Double(sample.count)
  }
}
