import Features
import Imaging
import Library

/// Learns a projection from some pictures.
struct ProjectionLearner {
  let model: NetworkModel
  let ingestion: IngestionSettings
  let compute: ComputeChoice
  let cancellation: Cancellation
  let events: JobEvents

  /// Pictures that are decoded at most: more hardly change the basis of 64 dimensions.
  static let sampleCount = 4096
  /// Pictures that a basis takes which holds for others too.
  static let enoughCount = 1000

  /// Whether the picture of this number is in the sample, which is spread evenly over all of them.
  /// - Parameter total: how many there are.
  static func samples(_ number: Int, of total: Int) -> Bool {
    total <= sampleCount || number * sampleCount / total != (number + 1) * sampleCount / total
  }

  /// Learns from a sample of pictures.
  /// - Parameters:
  ///   - paths: their files.
  ///   - isAsked: whether a person asked for it; else the network has no projection, so that any will do.
  /// - Returns: nil where no picture can be read.
  func learn(_ paths: [BytePath], isAsked: Bool) throws -> Projection? {
    let paths = paths.indices.filter { Self.samples($0, of: paths.count) }.map { paths[$0] }
    let stage = StageProgress(.learning, total: paths.count, handler: events.progress)
    let batches = InputBatches(
      ingestion: ingestion, description: model.description, threads: compute.threads, cancellation: cancellation)
    var extraction = Extraction(model: model.contentModelForDescriptors, compute: compute)
    var descriptors: [Float] = []
    // What can't be decoded is told when it is read.
    try batches.forEach(paths, failed: { _, _ in }, progress: stage.report) { _, inputs in
      descriptors += try extraction.descriptors(inputs, note: events.note)
    }
    if cancellation.isRequested { throw EngineError.cancelled }
    let found = descriptors.count / model.description.outputCount
    if found == 0 { return nil }
    if found < Self.enoughCount {
      let words = "\(found) pictures, where \(Self.enoughCount) are needed for a projection that holds for others too"
      if isAsked { throw EngineError(.failed, "--fit-pca: there are \(words)") }
      events.note(
        "the model has no projection: it is learned from \(words); --rebuild learns it again when there are more")
    }
    return Projection(fitting: descriptors, inputCount: model.description.outputCount)
  }
}

extension LibraryIndex {
  /// Some of the files that are to be read, evenly spread over them.
  /// - Parameter total: how many are to be read.
  func sampleToRead(of total: Int) throws(IndexError) -> [BytePath] {
    var paths: [BytePath] = []
    var (after, place): (Int64, Int) = (0, 0)
    while paths.count < ProjectionLearner.sampleCount {
      let files = try filesToRead(after: after, limit: 16_384)
      guard let last = files.last else { break }
      after = last.number
      for file in files {
        if ProjectionLearner.samples(place, of: total) { paths.append(file.file.path) }
        place += 1
      }
    }
    return Array(paths.prefix(ProjectionLearner.sampleCount))
  }
}
