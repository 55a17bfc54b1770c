import Compute
import Features
import Imaging
import Library

/// Finds the groups of identical and near-identical pictures of a library.
public struct DuplicatesJob {
  /// Where the index is.
  public var place: IndexPlace
  /// What the vectors must be of, where it has a name.
  public var model = ModelRequest()
  /// A part that paths must have, whatever the case of its letters; nil for all.
  public var text: String?
  /// How far near-identical pictures may be.
  public var threshold = Self.standardThreshold
  /// How much what a picture shows counts against what it looks like, 0...1.
  public var contentWeight = Self.standardContentWeight

  /// With these, versions of a photo of which each is half as large, saved again at quality 30, or turned by its EXIF
  /// tag are all found, and no two photos taken for one: docs/internals.md has the figures. The distances' scale is
  /// `DistanceScale.ofPhotos`. What a picture shows counts little, since the network sees small changes.
  public static let standardThreshold = 0.04
  /// See ``standardThreshold``.
  public static let standardContentWeight = 0.1

  /// A job for an index.
  public init(place: IndexPlace) {
    self.place = place
  }

  /// A picture of a group.
  public struct Member: Sendable, Equatable {
    /// Its file.
    public let path: BytePath
    /// Its distance from the group's first picture.
    public let distance: Double
    /// Whether its file has the bytes of the group's first one.
    public let isCopy: Bool
  }

  /// What came of it.
  public struct Report: Sendable {
    /// Two or more pictures each: of any one there is another within the threshold. In the order of paths, groups too.
    public let groups: [[Member]]
    /// Pictures that were compared.
    public let pictureCount: Int
    /// What compared.
    public let device: String
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Compares all pictures of the library with each other.
  /// - Throws: `EngineError`; where the index has no picture, its kind is `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    var clock = StageClock()
    let library = try SearchedLibrary(try place.openForReading(), model: model, text: text)
    clock.lap("opening")
    let vectors = library.vectors
    let similarity = Similarity(contentWeight: contentWeight, scale: .ofPhotos)
    var groups = DisjointSets(count: vectors.count)
    // What is identical counts as one: a thousand copies would make half a million pairs.
    let contents = library.indices.map { library.pictures.contents[$0] }
    let different = groups.joinEqual(contents, vectors)
    let rows = FeatureVectors(
      content: different.flatMap { vectors[$0].content }, appearance: different.flatMap { vectors[$0].appearance })
    let progress = StageProgress(.comparing, total: different.count, handler: events.progress)
    let limit = similarity.key(within: threshold)
    // Where a device fails, another goes on; pairs that were joined by both do no harm.
    var compared = 0
    try compute.search(in: rows, note: events.note) { (search) throws(ComputeError) in
      try search.forEachPair(from: compared, within: limit, by: similarity) { pairs, done in
        for pair in pairs { groups.join(different[Int(pair.first)], different[Int(pair.second)]) }
        compared = done
        progress.report(done)
        return !cancellation.isRequested
      }
    }
    if cancellation.isRequested { throw .cancelled }
    clock.lap("comparing")
    let members = groups.groups.map { group in
      group.map { member in
        Member(
          path: library.pictures.paths[library.indices[member]],
          distance: similarity.distance(similarity.key(vectors[group[0]], vectors[member])),
          isCopy: contents[member] == contents[group[0]])
      }
    }
    return Report(groups: members, pictureCount: vectors.count, device: compute.firstName, seconds: clock.laps)
  }
}

/// Which of some things belong together.
private struct DisjointSets {
  /// The way to the first of a set; the first itself leads to itself.
  private var parents: [Int32]

  init(count: Int) {
    parents = (0..<Int32(count)).map { $0 }
  }

  private mutating func first(_ member: Int) -> Int32 {
    var member = Int32(member)
    while parents[Int(member)] != member {
      parents[Int(member)] = parents[Int(parents[Int(member)])]
      member = parents[Int(member)]
    }
    return member
  }

  mutating func join(_ a: Int, _ b: Int) {
    let (a, b) = (first(a), first(b))
    parents[Int(max(a, b))] = min(a, b)
  }

  /// Joins pictures of the same content or the same vectors.
  /// - Returns: one of each kind, in order.
  mutating func joinEqual(_ contents: [Int64], _ vectors: FeatureVectors) -> [Int] {
    var byContent: [Int64: Int] = [:]
    var byVector: [[UInt8]: Int] = [:]
    var different: [Int] = []
    for index in contents.indices {
      if let other = byContent[contents[index]] {
        join(other, index)
        continue
      }
      byContent[contents[index]] = index
      let vector = Array(vectors[index].content) + vectors[index].appearance
      if let other = byVector[vector] {
        join(other, index)
        continue
      }
      byVector[vector] = index
      different.append(index)
    }
    return different
  }

  /// Sets of two and more, in the order of their first members.
  var groups: [[Int]] {
    var sets = self
    var members: [Int32: [Int]] = [:]
    for member in parents.indices { members[sets.first(member), default: []].append(member) }
    return members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }
}
