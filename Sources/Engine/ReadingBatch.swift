import Compute
import Features
import Imaging
import Library

/// Files that were decoded, until their vectors are computed and all of it is written to the index at once.
struct ReadingBatch {
  private let index: LibraryIndex
  private let events: JobEvents
  private let limit: Int
  private let encoder: ThumbnailEncoder
  private var extraction: Extraction
  private var entries: [Entry] = []
  /// The network's inputs, one after the other, of those entries that have one.
  private var inputs: [UInt8] = []
  private var hashes: Set<ContentHash> = []

  private struct Entry {
    let number: Int64
    let file: ScannedFile
    let kind: Kind

    enum Kind {
      case picture(ContentHash, ContentFacts, thumbnail: [UInt8], half: [UInt8])
      case copy(ContentHash)
      case failure(String?, conditions: Int64)
    }
  }

  /// - Parameter limit: how many files are written down at once.
  init(index: LibraryIndex, model: ContentModel, compute: ComputeChoice, events: JobEvents, limit: Int) throws {
    self.index = index
    self.events = events
    self.limit = limit
    encoder = try ThumbnailEncoder()
    extraction = Extraction(model: model, compute: compute, note: events.note)
  }

  var isFull: Bool { entries.count >= limit }

  /// Takes a picture.
  mutating func append(_ picture: DecodedPicture, number: Int64, path: BytePath) throws {
    let file = ScannedFile(path: path, identity: picture.source)
    let hash = picture.contentHash
    if try hashes.contains(hash) || index.knows(hash) {
      entries.append(Entry(number: number, file: file, kind: .copy(hash)))
      return
    }
    let thumbnail = try encoder.encode(picture.thumbnail)
    let half = try encoder.encode(picture.thumbnail.halved())
    hashes.insert(hash)
    inputs += picture.input.pixels
    entries.append(
      Entry(
        number: number, file: file, kind: .picture(hash, ContentFacts(picture), thumbnail: thumbnail, half: half)))
  }

  /// Takes a file that can't be used.
  mutating func append(failure reason: String?, of file: ScannedFile, number: Int64, _ conditions: Int64) {
    entries.append(Entry(number: number, file: file, kind: .failure(reason, conditions: conditions)))
  }

  /// Computes the vectors, writes everything down, and empties the batch.
  mutating func finish(_ outcome: inout LibraryUpdate.Outcome) throws {
    if entries.isEmpty { return }
    let vectors = try extraction.vectors(inputs)
    outcome.computedCount += vectors.count
    if vectors.count > 0 { events.computed(outcome.computedCount) }
    var next = 0
    let files = entries.map { entry in
      let result: ReadFile.Outcome
      switch entry.kind {
      case .picture(let hash, let facts, let thumbnail, let half):
        let vector = vectors[next]
        next += 1
        result = .picture(
          NewContent(
            hash: hash, facts: facts, vector: Array(vector.content) + vector.appearance, thumbnail: thumbnail,
            halfThumbnail: half))
      case .copy(let hash):
        outcome.recognisedCount += 1
        result = .known(hash)
      case .failure(let reason, let conditions): result = .failure(reason: reason, conditions: conditions)
      }
      return ReadFile(number: entry.number, file: entry.file, outcome: result)
    }
    try index.record(files, in: &outcome.changes)
    entries.removeAll(keepingCapacity: true)
    inputs.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
  }
}

/// Computes vectors on the device, and in plain Swift from the moment at which the device fails.
struct Extraction {
  let model: ContentModel
  var compute: ComputeChoice
  let note: (String) -> Void
  private var extractor: (any FeatureExtractor)?

  init(model: ContentModel, compute: ComputeChoice, note: @escaping (String) -> Void) {
    self.model = model
    self.compute = compute
    self.note = note
  }

  /// Bytes of one picture.
  var pictureByteCount: Int { model.description.inputSize * model.description.inputSize * 3 }

  /// The vectors of pictures, one after the other in `inputs`.
  mutating func vectors(_ inputs: [UInt8]) throws -> FeatureVectors {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    return try run { extractor in try inputs.withUnsafeBufferPointer { try extractor.vectors($0) } }
  }

  /// The network's descriptors of pictures, one after the other in `inputs`.
  mutating func descriptors(_ inputs: [UInt8]) throws -> [Float] {
    if inputs.isEmpty { return [] }
    return try run { extractor in try inputs.withUnsafeBufferPointer { try extractor.descriptors($0) } }
  }

  private mutating func run<Result>(_ body: (any FeatureExtractor) throws -> Result) throws -> Result {
    while true {
      do {
        if extractor == nil { extractor = try compute.extractor(model) }
        return try body(extractor!)
      } catch let error as ComputeError where compute.device != nil {
        note("the vectors are computed in plain Swift from here on: \(error)")
        compute = compute.withoutDevice
        extractor = nil
      }
    }
  }
}
