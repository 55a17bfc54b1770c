import Dispatch

/// Computes feature vectors in plain Swift, on several threads.
public final class SwiftFeatureExtractor: FeatureExtractor {
  /// The model that content vectors come from.
  public let model: ContentModel
  private let network: PlainNetwork
  private let threadCount: Int

  /// An extractor for a model.
  ///
  /// - Parameters:
  ///   - model: Where content vectors come from.
  ///   - threadCount: Threads that the pictures of one call are divided among, 1 or more.
  public init(model: ContentModel = .kiano, threadCount: Int) {
    self.model = model
    self.threadCount = max(1, threadCount)
    network = PlainNetwork(model.weights)
  }

  /// The content and appearance vectors of pictures, [count, inputSize, inputSize, 3].
  public func vectors(_ pictures: UnsafeBufferPointer<UInt8>) -> FeatureVectors {
    let size = model.description.inputSize
    let results = map(pictures) { picture, descriptor in
      (content: self.model.projection.bytes(descriptor), appearance: AppearanceVector.bytes(picture, size: size))
    }
    return FeatureVectors(content: results.flatMap(\.content), appearance: results.flatMap(\.appearance))
  }

  /// The network's descriptors of pictures, [count, outputCount].
  public func descriptors(_ pictures: UnsafeBufferPointer<UInt8>) -> [Float] {
    map(pictures) { _, descriptor in Array(descriptor) }.flatMap { $0 }
  }

  /// Vectors and descriptors of pictures.
  public func vectorsAndDescriptors(
    _ pictures: UnsafeBufferPointer<UInt8>
  ) -> (vectors: FeatureVectors, descriptors: [Float]) {
    let size = model.description.inputSize
    let results = map(pictures) { picture, descriptor in
      (
        content: self.model.projection.bytes(descriptor), appearance: AppearanceVector.bytes(picture, size: size),
        descriptor: Array(descriptor)
      )
    }
    let vectors = FeatureVectors(
      content: results.flatMap(\.content), appearance: results.flatMap(\.appearance))
    return (vectors, results.flatMap(\.descriptor))
  }

  /// What `transform` makes of each picture and its descriptor, in order. Each thread takes a run of pictures.
  private func map<Result: Sendable>(
    _ pictures: UnsafeBufferPointer<UInt8>,
    _ transform: @Sendable (UnsafePointer<UInt8>, UnsafeBufferPointer<Float>) -> Result
  ) -> [Result] {
    let count = pictureCount(pictures)
    guard let base = pictures.baseAddress, count > 0 else { return [] }
    let runs = min(threadCount, count)
    var results = [[Result]](repeating: [], count: runs)
    results.withUnsafeMutableBufferPointer { results in
      // Each run reads its pictures and writes its own result.
      nonisolated(unsafe) let (base, results) = (base, results)
      DispatchQueue.concurrentPerform(iterations: runs) { run in
        let workspace = Workspace(model.description)
        let descriptor = UnsafeMutableBufferPointer<Float>.allocate(capacity: model.description.outputCount)
        defer { descriptor.deallocate() }
        results[run] = (run * count / runs..<(run + 1) * count / runs).map { index in
          let picture = base + index * pictureByteCount
          network.run(picture, in: workspace, descriptor: descriptor.baseAddress!)
          return transform(picture, UnsafeBufferPointer(descriptor))
        }
      }
    }
    return results.flatMap { $0 }
  }
}
