import Weights

/// A network with its weights and the projection that belongs to them: all that the content vector depends on.
public struct ContentModel: Sendable {
  /// The network.
  public let weights: NetworkWeights
  /// Its projection to 64 bytes.
  public let projection: Projection

  /// What the network is made of.
  public var description: NetworkDescription { weights.description }

  /// A model of weights and a projection whose input is the network's output.
  public init(weights: NetworkWeights, projection: Projection) {
    precondition(projection.inputCount == weights.description.outputCount)
    self.weights = weights
    self.projection = projection
  }

  /// The model that the program carries.
  public static let kiano: ContentModel = {
    let network = embedded(kiano_network_weights, kiano_network_weights_count)
    let basis = embedded(kiano_projection_weights, kiano_projection_weights_count)
    var reader = ModelImport()
    reader.width = 0.5
    // The files are part of the program, so a failure here is a mistake in the build.
    return try! ContentModel(
      weights: reader.read(Safetensors(parsing: network)).weights,
      projection: Projection(Safetensors(parsing: basis), inputCount: NetworkDescription.kiano.outputCount))
  }()

  private static func embedded(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }
}
