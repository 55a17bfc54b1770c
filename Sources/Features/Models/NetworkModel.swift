import Weights

/// A network under a name, with its own projection if it has one: what `--model` chooses.
public struct NetworkModel: Sendable {
  /// The name.
  public let name: String
  /// The network.
  public let weights: NetworkWeights
  /// Its projection; nil where each library learns one.
  public let projection: Projection?
  /// Stands for all that vectors depend on: vectors of the same identity, and the same projection, differ only in what
  /// devices round differently. Begins with the name and "/".
  public let identity: String

  /// What the network is made of.
  public var description: NetworkDescription { weights.description }

  /// The model with a projection.
  ///
  /// - Parameter learned: A library's own, which takes the place of the model's.
  /// - Returns: nil where there is no projection.
  public func contentModel(learned: Projection? = nil) -> ContentModel? {
    (learned ?? projection).map { ContentModel(weights: weights, projection: $0) }
  }

  /// The model with a projection that serves for descriptors only.
  public var contentModelForDescriptors: ContentModel {
    contentModel() ?? ContentModel(weights: weights, projection: Projection(keepingFirstOf: description.outputCount))
  }

  /// A network that isn't in a file of its own yet.
  public init(name: String, weights: NetworkWeights, projection: Projection? = nil) {
    self.init(name: name, weights: weights, projection: projection, identity: name)
  }

  private init(name: String, weights: NetworkWeights, projection: Projection?, identity: String) {
    self.name = name
    self.weights = weights
    self.projection = projection
    self.identity = identity
  }

  // MARK: - The built-in one

  /// The model that the program carries.
  public static let kiano = NetworkModel(
    name: kianoName, weights: ContentModel.kiano.weights, projection: ContentModel.kiano.projection,
    identity: identity(
      kianoName,
      [
        UnsafeRawBufferPointer(start: kiano_network_weights, count: kiano_network_weights_count),
        UnsafeRawBufferPointer(start: kiano_projection_weights, count: kiano_projection_weights_count),
      ]))

  /// Its name.
  public static let kianoName = "kiano"

  // MARK: - Files

  /// A model from the file that ``encoded(_:projection:)`` makes.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - bytes: The whole file.
  /// - Throws: ``ImportError`` or ``ModelFileError``.
  public init(name: String, file bytes: [UInt8]) throws {
    let file = try Safetensors(parsing: bytes)
    let result = try ModelImport().read(file, metadata: file.metadata)
    self.name = name
    weights = result.weights
    projection = result.projection
    identity = bytes.withUnsafeBytes { Self.identity(name, [$0]) }
  }

  /// A file of a network: its tensors in our own naming, batch norm folded in, and what else belongs to the model. The
  /// same network always gives the same bytes.
  public static func encoded(_ weights: NetworkWeights, projection: Projection?) -> [UInt8] {
    var tensors: [String: Tensor] = [:]
    for (layer, layerWeights) in zip(weights.description.layers, weights.layers) {
      let names = TensorNaming.folded.names(of: layer)
      tensors[names.weight] = Tensor(
        shape: layer.shape(heightFirst: false), values: layer.outputsFirst(layerWeights.matrix(of: layer)))
      tensors[names.bias!] = Tensor(shape: [layer.outputs], values: layerWeights.biases(of: layer))
    }
    if let projection {
      tensors[Projection.meanName] = Tensor(shape: [projection.inputCount], values: projection.mean)
      tensors[Projection.componentsName] = Tensor(
        shape: [Projection.outputCount, projection.inputCount], values: projection.components)
    }
    return Safetensors.encoded(tensors, metadata: ModelMetadata.fields(of: weights.description))
  }

  /// Grows when appearance vectors, or the pictures that vectors are computed of, become others.
  private static let vectorVersion = 2

  private static func identity(_ name: String, _ parts: [UnsafeRawBufferPointer]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for bytes in parts {
      // FNV-1a, of words rather than bytes: there are millions.
      for offset in stride(from: 0, to: bytes.count / 4 * 4, by: 4) {
        hash = (hash ^ UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) &* 0x0000_0100_0000_01b3
        hash ^= hash >> 29
      }
    }
    let digits = String(hash, radix: 16)
    return "\(name)/\(vectorVersion)/" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
