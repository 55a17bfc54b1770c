import Features
import Foundation
import Imaging
import Library

/// Measures how well vectors find pictures of the same kind, in a folder that has one folder for each kind.
public struct EvaluateFeaturesJob {
  /// The folder.
  public var folder: BytePath
  /// What computes the vectors.
  public var model = ModelRequest()
  /// How much what a picture shows counts against what it looks like in the mix, 0...1.
  public var contentWeight = 0.5
  /// Which files are taken, and how they are decoded.
  public var ingestion = IngestionSettings()

  /// A job for a folder.
  public init(folder: BytePath) {
    self.folder = folder
  }

  /// The figures.
  public struct Report: Sendable {
    /// Which network.
    public let model: String
    /// Pictures that were compared.
    public let pictureCount: Int
    /// Kinds that they are of.
    public let classCount: Int
    /// 64 bytes of content; nil, as the others, where no kind has two pictures.
    public let content: RetrievalQuality
    /// 50 bytes of appearance.
    public let appearance: RetrievalQuality
    /// Both, as maps are sorted by.
    public let mix: RetrievalQuality
    /// The network's descriptors under cosine similarity.
    public let contentFloat: RetrievalQuality
    /// Files that couldn't be read, and why.
    public let unreadable: [(path: BytePath, reason: String)]
    /// What computed.
    public let device: String
    /// Seconds by stage.
    public let seconds: [(stage: String, seconds: Double)]
  }

  /// Reads all pictures, and looks for each of them among the others.
  /// - Throws: `EngineError`; where there aren't two kinds, or none has two pictures, its kind is `nothingUsable`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    var clock = StageClock()
    let network = try model.model(for: nil)
    let files = try labelledFiles(cancellation, events)
    clock.lap("scanning")
    do {
      var reading = FeatureReading(
        files: files, model: network, fitsProjection: model.fitsProjection, ingestion: ingestion, compute: compute,
        cancellation: cancellation, events: events)
      try reading.run()
      if cancellation.isRequested { throw EngineError.cancelled }
      clock.lap("reading")
      let comparison = Comparison(reading: reading, threads: compute.threads, events: events)
      let (vectors, weight) = (reading.vectors, contentWeight)
      let mix = VectorMix(vectors, contentWeight: weight)
      guard let content = comparison.quality(vectors.content, Projection.outputCount),
        let appearance = comparison.quality(vectors.appearance, AppearanceVector.count),
        let both = comparison.quality(mix.pack(vectors), mix.dimensionCount),
        let floats = comparison.quality(reading.descriptors, network.description.outputCount)
      else {
        throw EngineError(
          .nothingUsable,
          "no folder in \(folder.displayName) has two pictures that can be read: there is nothing to compare")
      }
      clock.lap("comparing")
      return Report(
        model: network.name, pictureCount: reading.classes.count, classCount: Set(reading.classes).count,
        content: content, appearance: appearance, mix: both, contentFloat: floats, unreadable: reading.unreadable,
        device: compute.name, seconds: clock.laps)
    } catch {
      throw EngineError(any: error)
    }
  }

  /// The pictures with the number of their kind: the folder right below the one that is evaluated.
  private func labelledFiles(
    _ cancellation: Cancellation, _ events: JobEvents
  ) throws(EngineError) -> [(path: BytePath, label: Int)] {
    let root = try folder.absolute()
    let found = try ingestion.scan.files(in: [root], cancellation, events)
    var labels: [[UInt8]: Int] = [:]
    let slash = UInt8(ascii: "/")
    let files = found.compactMap { path -> (path: BytePath, label: Int)? in
      let below = path.bytes.dropFirst(root.bytes.count).drop { $0 == slash }
      // A picture right in the folder is of no kind.
      guard let end = below.firstIndex(of: slash) else { return nil }
      let name = Array(below[..<end])
      let label = labels[name] ?? labels.count
      labels[name] = label
      return (path, label)
    }
    guard labels.count > 1 else {
      throw EngineError(
        .nothingUsable,
        "\(folder.displayName) has \(labels.isEmpty ? "no folder" : "only one folder") with pictures: one for each kind is needed, "
          + "such as \(folder.displayName)/cats and \(folder.displayName)/dogs")
    }
    let loose = found.count - files.count
    if loose > 0 {
      events.note(
        "\(loose) \(loose == 1 ? "picture lies" : "pictures lie") right in \(folder.displayName), in no folder of a kind, "
          + "and \(loose == 1 ? "is" : "are") left out")
    }
    return files
  }
}

/// Compares vectors, and tells how far that is.
private struct Comparison {
  let reading: FeatureReading
  let threads: Int
  let events: JobEvents

  func quality(_ bytes: [UInt8], _ dimensions: Int) -> RetrievalQuality? {
    show()
    return RetrievalQuality(bytes: bytes, dimensions: dimensions, classes: reading.classes, threads: threads)
  }

  func quality(_ floats: [Float], _ dimensions: Int) -> RetrievalQuality? {
    show()
    return RetrievalQuality(floats: floats, dimensions: dimensions, classes: reading.classes, threads: threads)
  }

  private func show() { events.progress(JobProgress(stage: .comparing, done: 0, total: nil, rate: 0)) }
}

/// Reads pictures and computes all vectors of them.
private struct FeatureReading {
  let files: [(path: BytePath, label: Int)]
  let model: NetworkModel
  let fitsProjection: Bool
  let ingestion: IngestionSettings
  let compute: ComputeChoice
  let cancellation: Cancellation
  let events: JobEvents

  /// Of those that could be read: their kinds, vectors, and the network's descriptors.
  private(set) var classes: [Int] = []
  private(set) var vectors = FeatureVectors(content: [], appearance: [])
  private(set) var descriptors: [Float] = []
  private(set) var unreadable: [(path: BytePath, reason: String)] = []

  init(
    files: [(path: BytePath, label: Int)], model: NetworkModel, fitsProjection: Bool, ingestion: IngestionSettings,
    compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) {
    self.files = files
    self.model = model
    self.fitsProjection = fitsProjection
    self.ingestion = ingestion
    self.compute = compute
    self.cancellation = cancellation
    self.events = events
  }

  mutating func run() throws {
    let paths = files.map(\.path)
    var projection = fitsProjection ? nil : model.projection
    if projection == nil {
      let learner = ProjectionLearner(
        model: model, ingestion: ingestion, compute: compute, cancellation: cancellation, events: events)
      projection = try learner.learn(paths, isAsked: fitsProjection)
    }
    var extraction = Extraction(
      model: model.contentModel(learned: projection) ?? model.contentModelForDescriptors, compute: compute)
    let stage = StageProgress(.reading, total: paths.count, handler: events.progress)
    let batches = InputBatches(
      ingestion: ingestion, description: model.description, threads: compute.threads, cancellation: cancellation)
    let events = events
    var failures: [(path: BytePath, reason: String)] = []
    try batches.forEach(
      paths,
      failed: { place, error in
        failures.append((paths[place], error.reason.description))
        events.unreadable(paths[place], error.reason.description)
      }, progress: stage.report
    ) { places, inputs in
      let computed = try extraction.vectorsAndDescriptors(inputs, note: events.note)
      vectors.append(computed.vectors)
      descriptors += computed.descriptors
      classes += places.map { files[$0].label }
    }
    unreadable = failures
  }
}
