import Features
import Foundation
import Imaging
import Library

/// Brings an index up to date with the folders that it is of: finds the pictures, reads those that changed, on all
/// cores, and computes their vectors.
struct LibraryUpdate {
  let roots: [BytePath]
  var ingestion: IngestionSettings
  let index: LibraryIndex
  let model: NetworkModel
  let compute: ComputeChoice
  let cancellation: Cancellation
  let events: JobEvents
  /// Whether the library learns a projection of its own.
  var fitsProjection = false
  /// Whether pictures may be gone in numbers that look like a mistake.
  var acceptsMissing = false

  /// Under which conditions a file that couldn't be read isn't tried again.
  var conditions: LibraryIndex.FailureConditions

  init(
    roots: [BytePath], ingestion: IngestionSettings, index: LibraryIndex, model: NetworkModel, compute: ComputeChoice,
    cancellation: Cancellation, events: JobEvents
  ) {
    self.roots = roots
    self.ingestion = ingestion
    self.ingestion.decoding.inputSide = model.description.inputSize
    self.index = index
    self.model = model
    self.compute = compute
    self.cancellation = cancellation
    self.events = events
    conditions = ingestion.failureConditions
  }

  /// What an update did.
  struct Outcome {
    /// What was found, compared with what was known.
    var changes: LibraryChanges
    /// Files that couldn't be used, those of earlier runs first.
    var failures: [(path: BytePath, reason: String)]
    /// Files that were passed over, by kind.
    var skipped: [String: Int]
    /// Files that were read and decoded.
    var readCount = 0
    /// Pictures whose vectors were computed.
    var computedCount = 0
    /// Files whose content was known, under another name or in a copy.
    var recognisedCount = 0
    /// Files that couldn't be used this time, and are tried again by the next run.
    var transientCount = 0
    /// Seconds spent on finding the files, and on reading them.
    var scanSeconds = 0.0
    var readSeconds = 0.0
  }

  /// Files that are given to the decoders in one go; so many paths are in memory at once.
  private static let roundCount = 16_384
  /// Files that are written down at once: no more are read again after a crash.
  private static let batchCount = 32

  // MARK: - Finding

  /// Compares the folders with the index. Nothing is written.
  func compare() throws(EngineError) -> Outcome {
    let start = ContinuousClock.now
    events.progress(JobProgress(stage: .scanning, done: 0, total: nil, rate: 0))
    var folders: [BytePath] = []
    for root in roots { folders.append(try root.absolute()) }
    let missing = Set(folders.filter(\.isMissing))
    var changes: LibraryChanges
    do {
      changes = try index.compare(roots: folders, missing: missing, conditions: conditions) { found in
        // Of a root that isn't there, what is known decides whether that is an error.
        let present = missing.isEmpty ? folders : folders.filter { !missing.contains($0) }
        return try scan(present, found: found)
      }
    } catch {
      if cancellation.isRequested { throw .cancelled }
      if case ScanError.unreadableList = error { throw EngineError(.failed, "\(error)") }
      if error is ScanError { throw EngineError(.nothingUsable, "\(error)") }
      throw EngineError(any: error)
    }
    let lost = Set(changes.losses.map(\.root))
    if let root = zip(roots, folders).first(where: { missing.contains($1) && !lost.contains($1) })?.0, !acceptsMissing {
      throw EngineError(.nothingUsable, "\(ScanError.unreadableRoot(root, errno: ENOENT))")
    }
    var outcome = Outcome(changes: changes, failures: [], skipped: [:])
    for failure in changes.scan.failures { outcome.failures.append((failure.path, systemMessage(failure.errno))) }
    outcome.failures += changes.knownFailures
    for (kind, count) in changes.scan.skipped { outcome.skipped[kind.label, default: 0] += count }
    outcome.add(changes.unreadableFormatCount, skipped: Outcome.unreadableFormats)
    outcome.scanSeconds = (ContinuousClock.now - start).inSeconds
    return outcome
  }

  private func scan(_ folders: [BytePath], found: (ScannedFile) -> Void) throws -> ScanSummary {
    let scanner = LibraryScanner(rules: ingestion.scan)
    var count = 0
    func take(_ file: ScannedFile) {
      count += 1
      if count % 1024 == 0 { events.progress(JobProgress(stage: .scanning, done: count, total: nil, rate: 0)) }
      found(file)
    }
    let isCancelled = { cancellation.isRequested }
    var summary = try scanner.visit(folders, isCancelled: isCancelled, found: take)
    if let (source, separator) = ingestion.list {
      let list = try PathList(source, separator: separator, folder: try BytePath(".").absolute())
      summary = summary.followed(
        by: try scanner.visit(list, isCancelled: isCancelled) { file in
          // However it is spelt, it is one picture.
          take(ScannedFile(path: (try? file.path.absolute()) ?? file.path, identity: file.identity))
        })
    }
    return summary
  }

  // MARK: - Updating

  /// Does all that has to be done.
  /// - Throws: also where so much is gone that a person should say whether that is right.
  func run() throws(EngineError) -> Outcome {
    try indexing { () throws(IndexError) -> Result<Void, EngineError> in try checkProjection() }.get()
    var outcome = try compare()
    try checkLosses(outcome.changes.losses)
    let places =
      roots.map(\.displayName)
      + (ingestion.list.map { [$0.source == "-" ? "the list on standard input" : $0.source.displayName] } ?? [])
    for failure in outcome.changes.scan.failures { events.unreadable(failure.path, systemMessage(failure.errno)) }
    do {
      // Before anything is written, since this may be a mistake; unless a person has said that it is none.
      if outcome.changes.scan.fileCount == 0 {
        if !outcome.changes.losses.isEmpty { try index.apply(&outcome.changes) }
        let isMap = outcome.changes.scan.skipped[.ownOutput] != nil
        throw EngineError(
          .nothingUsable,
          "there is no picture in \(places.joined(separator: ", "))"
            + (isMap ? "; maps of this program are passed over: name the folders of the pictures" : ""))
      }
      try index.apply(&outcome.changes)
      try index.remember(ingestion.scan, conditions)
      let start = ContinuousClock.now
      try recogniseMoved(&outcome)
      try readChanged(&outcome)
      outcome.readSeconds = (ContinuousClock.now - start).inSeconds
      if outcome.readCount > 0 { try index.addReading(count: outcome.readCount, seconds: outcome.readSeconds) }
    } catch {
      throw EngineError(any: error)
    }
    if cancellation.isRequested { throw .cancelled }
    // The order mustn't tell which of them were known already.
    outcome.failures.sort { ($0.path, $0.reason) < ($1.path, $1.reason) }
    return outcome
  }

  /// Whether the folders have lost pictures that another index, which is to be replaced, knows.
  func checkLosses(comparedWith old: LibraryIndex) throws(EngineError) {
    var update = LibraryUpdate(
      roots: roots, ingestion: ingestion, index: old, model: model, compute: compute, cancellation: cancellation,
      events: events)
    update.acceptsMissing = acceptsMissing
    // A list on standard input can be read once only.
    if ingestion.list?.source == "-" { update.ingestion.list = nil }
    let changes: LibraryChanges
    do throws(EngineError) {
      changes = try update.compare().changes
    } catch let error where error.kind == .index {
      // It is made anew because it is damaged.
      return
    }
    try update.checkLosses(changes.losses)
  }

  private func checkLosses(_ losses: [LibraryChanges.Loss]) throws(EngineError) {
    if losses.isEmpty || acceptsMissing { return }
    let words = losses.map(\.description).joined(separator: "; ")
    if events.confirm("\(words). Go on without them?") { return }
    throw EngineError(
      .failed,
      "\(words). Nothing was changed. Is the disk mounted, and are the folders right? If they are meant to be gone, run "
        + "again with --accept-missing; the index keeps them until 'kiano-gpu prune'")
  }

  /// Finds files of other names and the same bytes among those that the index knows, without decoding them.
  private func recogniseMoved(_ outcome: inout Outcome) throws {
    var after: Int64 = 0
    while !cancellation.isRequested {
      let files = try index.filesPerhapsKnown(after: after, limit: 512)
      guard let last = files.last else { return }
      after = last.number
      let hashes = Hashing.hashes(of: files.map(\.file.path), threads: compute.threads)
      var known: [ReadFile] = []
      for (pending, result) in zip(files, hashes) {
        guard let (hash, identity) = result, try index.knows(hash) else { continue }
        known.append(
          ReadFile(
            number: pending.number, file: ScannedFile(path: pending.file.path, identity: identity),
            outcome: .known(hash)))
      }
      if known.isEmpty { continue }
      try index.record(known, in: &outcome.changes)
      outcome.recognisedCount += known.count
    }
  }

  private func readChanged(_ outcome: inout Outcome) throws {
    let total = outcome.changes.toReadCount - outcome.recognisedCount
    if total == 0 { return }
    let content = try contentModel(total)
    let stage = StageProgress(.reading, total: total, handler: events.progress)
    var batch = try ReadingBatch(
      index: index, model: content, compute: compute, events: events, limit: Self.batchCount)
    let decoder = ParallelDecoder(
      decoder: PictureDecoder(options: ingestion.decoding), isolation: ingestion.isolation,
      threadCount: compute.threads)
    let cancellation = cancellation
    var after: Int64 = 0
    while !cancellation.isRequested {
      let files = try index.filesToRead(after: after, limit: Self.roundCount)
      guard let last = files.last else { break }
      after = last.number
      let done = outcome.readCount
      try decoder.decode(files.map(\.file.path), isCancelled: { cancellation.isRequested }) { place, result throws in
        outcome.readCount += 1
        try take(result, of: files[place], &batch, &outcome)
        if batch.isFull { try batch.finish(&outcome) }
        stage.report(done + place + 1)
      }
    }
    // What was decoded before an interruption is kept too.
    try batch.finishAll(&outcome)
  }

  /// Whether a projection that is to be learned can be: vectors of another can't be compared with its.
  private func checkProjection() throws(IndexError) -> Result<Void, EngineError> {
    guard fitsProjection else { return .success(()) }
    if try index.learnedProjection != nil {
      events.note("the index has a projection of its own already; --rebuild learns another")
    } else if try index.status().contentCount > 0 {
      return .failure(
        EngineError(
          .failed,
          "--fit-pca is for a new index: the vectors in \(index.path.displayName) are of the model's projection; run with "
            + "--rebuild to compute them anew"))
    }
    return .success(())
  }

  /// The network with the projection that the library's vectors are of: its own, or else the network's.
  private func contentModel(_ toReadCount: Int) throws -> ContentModel {
    if let learned = try index.learnedProjection { return model.contentModel(learned: learned)! }
    if !fitsProjection, let content = model.contentModel() { return content }
    let learner = ProjectionLearner(
      model: model, ingestion: ingestion, compute: compute, cancellation: cancellation, events: events)
    let sample = try index.sampleToRead(of: toReadCount)
    guard let learned = try learner.learn(sample, isAsked: fitsProjection) else {
      return model.contentModelForDescriptors
    }
    try index.remember(learned)
    return model.contentModel(learned: learned)!
  }

  private func take(
    _ result: Result<DecodedPicture, ImagingError>, of pending: PendingFile, _ batch: inout ReadingBatch,
    _ outcome: inout Outcome
  ) throws {
    let path = pending.file.path
    let conditions = conditions
    switch result {
    case .success(let picture): try batch.append(picture, number: pending.number, path: path)
    case .failure(let error):
      // The file that was looked at may be another than the scan saw.
      let file = ScannedFile(path: path, identity: error.source ?? pending.file.identity)
      switch error.reason {
      case .noCodec:
        outcome.add(1, skipped: Outcome.unreadableFormats)
        batch.append(failure: nil, of: file, number: pending.number, conditions.program)
      case .decoderUnavailable(let words):
        throw EngineError(
          .failed,
          "pictures can't be decoded: the process for it \(words). Is the limit of open files or processes (ulimit) too "
            + "low? --no-isolate does without such processes")
      case .unreadable(let number) where number == ENOENT || number == ENOTDIR:
        outcome.add(1, skipped: SkippedKind.vanished.label)
      default:
        // Libraries put line ends into their words.
        let reason = error.reason.description.split(whereSeparator: \.isNewline).joined(separator: " ")
        outcome.failures.append((path, reason))
        events.unreadable(path, reason)
        if error.isTransient {
          outcome.transientCount += 1
        } else {
          batch.append(
            failure: reason, of: file, number: pending.number, error.isLimit ? conditions.limits : conditions.program)
        }
      }
    }
  }
}

extension LibraryUpdate.Outcome {
  static let unreadableFormats = "formats that this build can't read"

  mutating func add(_ count: Int, skipped kind: String) {
    if count > 0 { skipped[kind, default: 0] += count }
  }
}

extension LibraryChanges.Loss {
  /// In words.
  var description: String {
    let name = root.displayName
    return switch kind {
    case .missingRoot: "\(name) isn't there, and with it \(goneCount) pictures of the index are gone"
    case .emptyRoot: "\(name) has none of the \(knownCount) pictures that were there"
    case .otherDevice:
      "\(name) is on another file system than before, and \(goneCount) of the \(knownCount) pictures that were there are "
        + "gone"
    case .missingMount: "all \(goneCount) pictures of another file system below \(name) are gone"
    case .mostGone: "\(goneCount) of the \(knownCount) pictures that were in \(name) are gone"
    }
  }
}

extension IngestionSettings {
  fileprivate var failureConditions: LibraryIndex.FailureConditions {
    let limits = [
      decoding.maximumPixels, decoding.maximumFileBytes, decoding.maximumWorkingBytes,
      Int(decoding.maximumSeconds * 1000),
    ]
    return LibraryIndex.FailureConditions(
      program: ImageCodecs.libraries.joined(separator: "\n"), limits: limits.map(String.init).joined(separator: " "))
  }
}

extension BytePath {
  /// Whether nothing is at this path.
  fileprivate var isMissing: Bool {
    var status = stat()
    return withCString { stat($0, &status) } != 0 && (errno == ENOENT || errno == ENOTDIR)
  }
}
