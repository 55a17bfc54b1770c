import Compute
import Features
import Foundation
import Imaging
import Library

/// Finds pictures of a library: those most like some pictures, those whose path has some words, or duplicates.
public struct SearchJob {
  /// Where the index is.
  public var place: IndexPlace
  /// What similar pictures are looked for; of the library or not.
  public var queries: [BytePath] = []
  /// A part that paths must have, whatever the case of its letters; nil for all.
  public var text: String?
  /// How many pictures are wanted; nil for all.
  public var limit: Int?
  /// How far they may be; nil for any distance. See `Similarity` for its units.
  public var threshold: Double?
  /// How much what a picture shows counts against what it looks like, 0...1.
  public var contentWeight = 0.5
  /// What computes the vectors of pictures that aren't in the library.
  public var model = ModelRequest()
  /// How pictures that aren't in the library are decoded.
  public var ingestion = IngestionSettings()

  /// A job for an index.
  public init(place: IndexPlace) {
    self.place = place
  }

  /// A picture that was found.
  public struct Match: Sendable, Equatable {
    /// Its file.
    public let path: BytePath
    /// How far it is from the nearest of the pictures that were asked for; nil where none were.
    public let distance: Double?
  }

  /// What came of a search.
  public struct Report: Sendable {
    /// What was found, the most similar first, or in the order of paths where nothing was to be similar.
    public let matches: [Match]
    /// Pictures that couldn't be read, and why.
    public let unreadable: [(path: BytePath, reason: String)]
    /// Pictures that were compared.
    public let pictureCount: Int
    /// What compared.
    public let device: String
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Searches.
  /// - Throws: `EngineError`; where the index has no picture, or none of the queries can be read, its kind is
  ///   `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    var clock = StageClock()
    let index = try place.openForReading()
    let library = try SearchedLibrary(index, model: model, text: text)
    clock.lap("opening")
    if queries.isEmpty {
      let paths = library.indices.map { library.pictures.paths[$0] }
      return Report(
        matches: paths.prefix(limit ?? .max).map { Match(path: $0, distance: nil) }, unreadable: [],
        pictureCount: library.indices.count, device: compute.firstName, seconds: clock.laps)
    }
    var reader = QueryReader(
      index: index, library: library, model: model, ingestion: ingestion, compute: compute, events: events)
    try reader.read(queries, cancellation)
    if reader.vectors.count == 0 {
      let what = queries.count == 1 ? "the picture" : "none of the \(queries.count) pictures"
      throw EngineError(.nothingUsable, "\(what) to search for \(queries.count == 1 ? "can't" : "could") be read")
    }
    clock.lap("reading")
    if cancellation.isRequested { throw .cancelled }
    // As the library's map has it, whatever part of the library is searched.
    let similarity = Similarity(contentWeight: contentWeight, scale: DistanceScale(meansOf: library.pictures.vectors))
    // The pictures asked for are left out of the result, so that many more are looked for.
    let wanted = min(library.indices.count, min(limit ?? .max, library.indices.count) + reader.known.count)
    let (vectors, queryVectors) = (library.vectors, reader.vectors)
    let lists = try compute.search(in: vectors, note: events.note) { (search) throws(ComputeError) in
      try search.nearest(wanted, to: queryVectors, by: similarity)
    }
    clock.lap("searching")
    let bound = threshold.map(similarity.key(within:)) ?? .max
    let matches = merged(lists).lazy.filter { $0.key <= bound }
      .map { (picture: library.indices[Int($0.index)], key: $0.key) }
      .filter { !reader.known.contains($0.picture) }
      .prefix(limit ?? .max)
      .map { Match(path: library.pictures.paths[$0.picture], distance: similarity.distance($0.key)) }
    return Report(
      matches: Array(matches), unreadable: reader.unreadable, pictureCount: library.indices.count,
      device: compute.firstName, seconds: clock.laps)
  }

  /// The lists of several queries as one, in which each picture has the least of its distances.
  private func merged(_ lists: [[Neighbour]]) -> [Neighbour] {
    if lists.count == 1 { return lists[0] }
    var seen: Set<Int32> = []
    return lists.joined().sorted().filter { seen.insert($0.index).inserted }
  }
}

/// The pictures of an index that are searched.
struct SearchedLibrary {
  /// All of the last run, in the order of their paths.
  let pictures: IndexedPictures
  /// Those whose paths have the words.
  let indices: [Int]

  /// - Parameter model: the network that the vectors must be of, where it has a name.
  init(_ index: LibraryIndex, model: ModelRequest, text: String?) throws(EngineError) {
    if model.name != nil { _ = try model.model(of: index) }
    let pictures = try indexing { () throws(IndexError) in try index.presentPictures() }
    if pictures.paths.isEmpty {
      throw EngineError(
        .nothingUsable, "there is no picture in the index \(index.path.displayName); 'kiano-gpu index' reads some")
    }
    self.pictures = pictures
    if let words = text?.foldedForSearch {
      indices = pictures.paths.indices.filter { pictures.paths[$0].bytes.text.foldedForSearch.contains(words) }
    } else {
      indices = Array(pictures.paths.indices)
    }
  }

  /// The vectors of those that are searched.
  var vectors: FeatureVectors {
    let all = pictures.vectors
    if indices.count == all.count { return all }
    return FeatureVectors(
      content: indices.flatMap { all[$0].content }, appearance: indices.flatMap { all[$0].appearance })
  }
}

extension [UInt8] {
  /// The bytes as text; those that aren't UTF-8 become a replacement character.
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// As the map's page compares: accents put together, capital letters made small.
  fileprivate var foldedForSearch: String { precomposedStringWithCanonicalMapping.lowercased() }
}

/// Finds the vectors of the pictures that are asked for: in the index, or by decoding them.
private struct QueryReader {
  let index: LibraryIndex
  let library: SearchedLibrary
  let model: ModelRequest
  let ingestion: IngestionSettings
  let compute: ComputeChoice
  let events: JobEvents
  /// What was read.
  private(set) var vectors = FeatureVectors(content: [], appearance: [])
  /// Which pictures of the library were asked for.
  private(set) var known: Set<Int> = []
  private(set) var unreadable: [(path: BytePath, reason: String)] = []

  init(
    index: LibraryIndex, library: SearchedLibrary, model: ModelRequest, ingestion: IngestionSettings,
    compute: ComputeChoice, events: JobEvents
  ) {
    self.index = index
    self.library = library
    self.model = model
    self.ingestion = ingestion
    self.compute = compute
    self.events = events
  }

  mutating func read(_ queries: [BytePath], _ cancellation: Cancellation) throws(EngineError) {
    var strangers: [BytePath] = []
    for query in queries {
      let path = try query.absolute()
      // The library may know it by the name that links lead to.
      let place =
        library.pictures.paths.firstIndex(ofSorted: path)
        ?? path.resolved().flatMap {
          library.pictures.paths.firstIndex(ofSorted: $0)
        }
      if let place { known.insert(place) }
      let isUnchanged = try place.map { place throws(EngineError) in
        try indexing { () throws(IndexError) in try index.isUnchanged(library.pictures.paths[place]) }
      }
      if let place, isUnchanged == true {
        let vector = library.pictures.vectors[place]
        vectors.append(FeatureVectors(content: Array(vector.content), appearance: Array(vector.appearance)))
      } else {
        strangers.append(query)
      }
    }
    if strangers.isEmpty { return }
    // Vectors of other weights can't be compared with ours.
    let network = try model.model(of: index)
    let learned = try indexing { () throws(IndexError) in try index.learnedProjection }
    do {
      try compute(strangers, network.contentModel(learned: learned) ?? network.contentModelForDescriptors, cancellation)
    } catch {
      throw EngineError(any: error)
    }
  }

  private mutating func compute(_ paths: [BytePath], _ content: ContentModel, _ cancellation: Cancellation) throws {
    var extraction = Extraction(model: content, compute: compute)
    let batches = InputBatches(
      ingestion: ingestion, description: content.description, threads: compute.threads, cancellation: cancellation)
    var failures: [(path: BytePath, reason: String)] = []
    try batches.forEach(
      paths,
      failed: { place, error in
        failures.append((paths[place], error.reason.description))
        events.unreadable(paths[place], error.reason.description)
      }
    ) { _, inputs in vectors.append(try extraction.vectors(inputs, note: events.note)) }
    unreadable += failures
  }
}

extension [BytePath] {
  /// Where a path is, in a list that is sorted.
  fileprivate func firstIndex(ofSorted path: BytePath) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < path { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == path ? low : nil
  }
}

extension ComputeChoice {
  /// Searches on the device and, where that fails, elsewhere: what is found is the same.
  func search<Result>(
    in vectors: FeatureVectors, note: (String) -> Void,
    _ body: (any VectorSearch) throws(ComputeError) -> Result
  ) throws(EngineError) -> Result {
    var task = ComputeTask.search
    do {
      return try run(&task, note: note) { device, reduction in
        try body(OpenCLVectorSearch(vectors, device: device, reduction: reduction))
      } plain: {
        try body(SwiftVectorSearch(vectors, threads: threads))
      }
    } catch {
      throw EngineError(any: error)
    }
  }
}

/// Times the stages of a job.
struct StageClock {
  private(set) var laps: [(stage: String, seconds: Double)] = []
  private var start = ContinuousClock.now

  mutating func lap(_ stage: String) {
    let now = ContinuousClock.now
    laps.append((stage, (now - start).inSeconds))
    start = now
  }
}
