import Atlas
import Compute
import Features
import Imaging
import Library

/// What a run learned of the pictures in some folders.
struct ReadLibrary {
  var pictures: [MapPicture] = []
  var vectors = FeatureVectors(content: [], appearance: [])
  var failures: [MapFailure] = []
  /// Files that were passed over, by kind.
  var skipped: [String: Int] = [:]
  let thumbnails: ThumbnailSpool
  /// Seconds spent on finding the files, and on reading them.
  var scanSeconds = 0.0
  var readSeconds = 0.0
}

/// Finds the pictures below some folders, decodes them on all cores and computes their vectors.
struct LibraryReader {
  let roots: [BytePath]
  let ingestion: IngestionSettings
  let compute: ComputeChoice
  let cancellation: Cancellation
  let events: JobEvents

  /// Pictures whose vectors are computed at once. The decoders go on meanwhile.
  private static let batchCount = 32

  func read() throws(EngineError) -> ReadLibrary {
    var library = ReadLibrary(thumbnails: try ThumbnailSpool())
    let files = try scan(into: &library)
    let start = ContinuousClock.now
    do {
      try decode(files, into: &library)
    } catch let error as EngineError {
      throw error
    } catch {
      throw EngineError(.failed, "\(error)")
    }
    if cancellation.isRequested { throw .cancelled }
    library.readSeconds = (ContinuousClock.now - start).inSeconds
    return library
  }

  // MARK: - Finding

  private func scan(into library: inout ReadLibrary) throws(EngineError) -> [ScannedFile] {
    let start = ContinuousClock.now
    events.progress(JobProgress(stage: .scanning, done: 0, total: nil, rate: 0))
    var folders: [BytePath] = []
    for root in roots { folders.append(try root.absolute()) }
    let workingFolder = ingestion.list == nil ? BytePath("/") : try BytePath(".").absolute()
    let result: ScanResult
    do throws(ScanError) {
      let scanner = LibraryScanner(rules: ingestion.scan)
      var found = try scanner.scan(folders) { cancellation.isRequested }
      if let (source, separator) = ingestion.list {
        let list = try PathList(source, separator: separator, folder: workingFolder)
        found = found.followed(by: try scanner.scan(list) { cancellation.isRequested })
      }
      result = found
    } catch {
      if cancellation.isRequested { throw .cancelled }
      throw EngineError(.nothingUsable, "\(error)")
    }
    for failure in result.failures { note(failure.path, systemMessage(failure.errno), in: &library) }
    for (kind, count) in result.skipped { library.skipped[kind.label, default: 0] += count }
    library.scanSeconds = (ContinuousClock.now - start).inSeconds
    if result.files.isEmpty {
      let places = roots.map(\.displayName) + (ingestion.list.map { [$0.source.displayName] } ?? [])
      let isMap = result.skipped[.ownOutput] != nil
      throw EngineError(
        .nothingUsable,
        "there is no picture in \(places.joined(separator: ", "))"
          + (isMap ? "; maps of this program are passed over: name the folders of the pictures" : ""))
    }
    return result.files
  }

  private func note(_ path: BytePath, _ reason: String, in library: inout ReadLibrary) {
    library.failures.append(MapFailure(path: path, reason: reason))
    events.unreadable(path, reason)
  }

  // MARK: - Decoding and vectors

  private func decode(_ files: [ScannedFile], into library: inout ReadLibrary) throws {
    let stage = StageProgress(.reading, total: files.count, handler: events.progress)
    let encoder = try JPEGEncoder()
    var extraction = Extraction(compute: compute, note: events.note)
    var batch: [UInt8] = []
    let decoder = ParallelDecoder(
      decoder: PictureDecoder(options: ingestion.decoding), isolation: ingestion.isolation,
      threadCount: compute.threads)
    let cancellation = cancellation
    try decoder.decode(files.map(\.path), isCancelled: { cancellation.isRequested }) { index, result throws in
      switch result {
      case .success(let picture):
        library.pictures.append(
          MapPicture(
            path: files[index].path, width: picture.width, height: picture.height, takenAt: picture.takenAt,
            isPartial: picture.completeness != .complete))
        try library.thumbnails.append(try encoder.encode(picture.thumbnail))
        batch += picture.input.pixels
        if library.pictures.count % Self.batchCount == 0 { try extraction.append(&batch, to: &library.vectors) }
      case .failure(let error) where error.isCodecMissing:
        library.skipped["formats that this build can't read", default: 0] += 1
      case .failure(let error):
        note(files[index].path, error.reason.description, in: &library)
      }
      stage.report(index + 1)
    }
    try extraction.append(&batch, to: &library.vectors)
  }
}

/// Computes vectors on the device, and in plain Swift from the moment at which the device fails.
private struct Extraction {
  var compute: ComputeChoice
  let note: (String) -> Void
  private var extractor: (any FeatureExtractor)?

  init(compute: ComputeChoice, note: @escaping (String) -> Void) {
    self.compute = compute
    self.note = note
  }

  /// Appends the vectors of the pictures in `batch`, and empties it.
  mutating func append(_ batch: inout [UInt8], to vectors: inout FeatureVectors) throws {
    if batch.isEmpty { return }
    while true {
      do {
        if extractor == nil { extractor = try compute.extractor() }
        let computed = try batch.withUnsafeBufferPointer { try extractor!.vectors($0) }
        vectors.append(computed)
        batch.removeAll(keepingCapacity: true)
        return
      } catch let error as ComputeError where compute.device != nil {
        note("the vectors are computed in plain Swift from here on: \(error)")
        compute = compute.withoutDevice
        extractor = nil
      }
    }
  }
}
