import Compute
import Features
import Imaging
import Library

/// Files that were decoded, until their vectors are computed and all of it is written to the index at once.
///
/// Some batches are on their way while the next one is being filled; they are written in their order.
struct ReadingBatch {
  private let index: LibraryIndex
  private let events: JobEvents
  private let limit: Int
  private let encoder: ThumbnailEncoder
  private let queue: ExtractionQueue
  private var entries: [Entry] = []
  /// The network's inputs, one after the other, of those entries that have one.
  private var inputs: [UInt8] = []
  /// Contents of pictures that aren't written down yet.
  private var hashes: Set<ContentHash> = []
  /// Batches whose vectors are being computed.
  private var underWay: [[Entry]] = []

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
    queue = ExtractionQueue(model: model, compute: compute, note: events.note)
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

  /// Hands the batch over to the devices, and writes down those that are done before it.
  mutating func finish(_ outcome: inout LibraryUpdate.Outcome) throws {
    if entries.isEmpty { return }
    queue.submit(inputs)
    underWay.append(entries)
    entries.removeAll()
    inputs.removeAll()
    while queue.count > queue.wantedCount { try writeFirst(&outcome) }
  }

  /// Writes everything down.
  mutating func finishAll(_ outcome: inout LibraryUpdate.Outcome) throws {
    try finish(&outcome)
    while queue.count > 0 { try writeFirst(&outcome) }
  }

  private mutating func writeFirst(_ outcome: inout LibraryUpdate.Outcome) throws {
    let vectors = try queue.takeFirst()
    outcome.computedCount += vectors.count
    if vectors.count > 0 { events.computed(outcome.computedCount) }
    var next = 0
    let files = underWay.removeFirst().map { entry in
      let result: ReadFile.Outcome
      switch entry.kind {
      case .picture(let hash, let facts, let thumbnail, let half):
        let vector = vectors[next]
        next += 1
        hashes.remove(hash)
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
  }
}
