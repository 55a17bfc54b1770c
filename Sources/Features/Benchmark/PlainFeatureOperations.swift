import Compute

/// What is measured of the vectors of pictures in plain Swift: the network on all threads, each of its layers, appearance
/// and projection on one.
public struct PlainFeatureOperations {
  private let model: ContentModel
  private let threads: Int
  private let network: PlainNetwork
  private let workspace: Workspace
  private let picture: [UInt8]

  /// - Parameter threads: how many work on the network.
  public init(model: ContentModel = .kiano, threads: Int) {
    self.model = model
    self.threads = threads
    network = PlainNetwork(model.weights)
    workspace = Workspace(model.description)
    let pixels = model.description.inputSize * model.description.inputSize * 3
    picture = (0..<pixels).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
  }

  /// The operations.
  public func operations() -> [BenchmarkOperation] {
    let extractor = SwiftFeatureExtractor(model: model, threadCount: threads)
    let pictures = [[UInt8]](repeating: picture, count: 4 * threads).flatMap { $0 }
    let whole = BenchmarkOperation(
      stage: "network", unit: "pictures", items: 4 * threads,
      floatOperations: 2 * Double(model.description.multiplyAdds * 4 * threads),
      run: {
        _ = pictures.withUnsafeBufferPointer { extractor.descriptors($0) }
      })
    let layers = model.description.layers.indices.map { index in
      let layer = model.description.layers[index]
      return BenchmarkOperation(
        stage: "layer", detail: layer.name, unit: "pictures", items: 1, floatOperations: 2 * Double(layer.multiplyAdds),
        bytes: layer.minimumBytes(pictures: 1),
        run: { [network, workspace, picture] in
          picture.withUnsafeBufferPointer { network.run(layer: index, $0.baseAddress!, in: workspace) }
        })
    }
    let descriptor = extractor.model.description.outputCount
    let values = (0..<descriptor).map { Float($0 % 7) }
    return [whole] + layers + [
      BenchmarkOperation(
        stage: "projection", unit: "pictures", items: 1,
        floatOperations: 2 * Double(descriptor * Projection.outputCount),
        run: { [projection = model.projection] in
          _ = values.withUnsafeBufferPointer { projection.bytes($0) }
        }),
      BenchmarkOperation(
        stage: "appearance", unit: "pictures", items: 1, bytes: Double(picture.count),
        run: { [picture, size = model.description.inputSize] in
          _ = picture.withUnsafeBufferPointer { AppearanceVector.bytes($0.baseAddress!, size: size) }
        }),
    ]
  }
}
