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
    // The files are part of the program, so a failure here is a mistake in the build.
    return try! ContentModel(
      weights: NetworkWeights(folded: Safetensors(parsing: network), description: .kiano),
      projection: Projection(Safetensors(parsing: basis), inputCount: NetworkDescription.kiano.outputCount))
  }()

  /// Stands for all that the vectors of the built-in model depend on: an index is of one model. Vectors of the same
  /// identity differ only in what devices round differently.
  public static let kianoIdentity: String = {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for (start, count) in [
      (kiano_network_weights, kiano_network_weights_count), (kiano_projection_weights, kiano_projection_weights_count),
    ] {
      // FNV-1a, of words rather than bytes: there are millions.
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      for offset in stride(from: 0, to: count / 4 * 4, by: 4) {
        hash = (hash ^ UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) &* 0x0000_0100_0000_01b3
        hash ^= hash >> 29
      }
    }
    let digits = String(hash, radix: 16)
    return "kiano/\(vectorVersion)/" + String(repeating: "0", count: 16 - digits.count) + digits
  }()

  /// Grows when appearance vectors, or the pictures that vectors are computed of, become others.
  private static let vectorVersion = 1

  private static func embedded(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }
}
