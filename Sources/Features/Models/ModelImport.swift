/// Reads a network from a file of tensors in any of the known namings, and checks that it is one.
public struct ModelImport: Sendable {
  /// The factor on the channels; nil to tell from the shapes.
  public var width: Double?
  /// The side of the input in pixels; nil for what the file says, else 128.
  public var inputSize: Int?
  /// The padding of the 3x3 convolutions; nil for what the file says, else what the naming's framework does.
  public var padding: NetworkDescription.Padding?
  /// The scaling of the input; nil for what the file says, else what the naming's framework does.
  public var scaling: NetworkDescription.InputScaling?
  /// What batch norm adds to a variance; nil for what the naming's framework does.
  public var epsilon: Float?
  /// Whether tensors that belong to no layer are passed over, whatever they are.
  public var ignoresExtra = false

  /// An import that takes everything from the file.
  public init() {}

  /// What was read.
  public struct Result: Sendable {
    /// The network, batch norm folded in.
    public let weights: NetworkWeights
    /// How the file names tensors.
    public let naming: TensorNaming
    /// Tensors that were passed over, such as those of a classifier.
    public let ignored: [String]
    /// The projection, where the file has one.
    public let projection: Projection?
  }

  /// Reads a network.
  ///
  /// - Parameters:
  ///   - source: The tensors.
  ///   - metadata: What the file says of itself, as ``NetworkModel/encoded()`` writes it; may be empty.
  /// - Throws: ``ImportError`` that names each tensor which is missing, of another shape, or belongs to no layer;
  ///   ``ModelFileError`` where the file is damaged.
  public func read(_ source: any TensorSource, metadata: [String: String] = [:]) throws -> Result {
    guard let tensors = NamedTensors.detected(in: source) else { throw ImportError.unknownNaming }
    let description = try description(of: tensors, metadata)
    let projectionNames =
      source.shape(Projection.meanName) != nil ? [Projection.meanName, Projection.componentsName] : []
    var used: Set<String> = []
    let problems = description.layers.flatMap { self.problems(of: $0, tensors, &used) }
    let extra = tensors.extra(beside: used).filter { !projectionNames.contains($0) }
    let unknown = ignoresExtra ? [] : extra.filter { !Self.isHarmless($0) }
    if !problems.isEmpty || !unknown.isEmpty {
      throw ImportError.mismatch(
        naming: tensors.naming, width: description.widthMultiplier, problems: problems, extra: unknown)
    }
    let epsilon = epsilon ?? (tensors.naming.isHeightFirst ? 1e-3 : 1e-5)
    let weights = try NetworkWeights(description: description) { layer in
      try LayerReader(tensors: tensors, layer: layer, epsilon: epsilon).read()
    }
    let projection =
      projectionNames.isEmpty ? nil : try Projection(prefixed: source, inputCount: description.outputCount)
    return Result(weights: weights, naming: tensors.naming, ignored: extra, projection: projection)
  }

  private func description(of tensors: NamedTensors, _ metadata: [String: String]) throws -> NetworkDescription {
    let said = try ModelMetadata(metadata)
    let isHeightFirst = tensors.naming.isHeightFirst
    return NetworkDescription(
      widthMultiplier: width ?? said.width ?? Self.width(of: tensors), inputSize: inputSize ?? said.inputSize ?? 128,
      padding: padding ?? said.padding ?? (isHeightFirst ? .tensorFlowSame : .symmetric),
      scaling: scaling ?? said.scaling ?? (isHeightFirst ? .signed : .imageNet))
  }

  /// What a layer's tensors lack; adds those that it uses to `used`.
  private func problems(of layer: NetworkLayer, _ tensors: NamedTensors, _ used: inout Set<String>) -> [ModelFileError]
  {
    let names = tensors.names(of: layer)
    let vectors = (names.bias.map { [$0] } ?? []) + (names.norm?.all ?? [])
    let expected =
      [(names.weight, layer.shape(heightFirst: tensors.naming.isHeightFirst))] + vectors.map { ($0, [layer.outputs]) }
    return expected.compactMap { name, shape in
      used.insert(name)
      guard let found = tensors.shape(name) else { return .missing(tensors.fileName(name)) }
      return found == shape ? nil : .wrongShape(tensors.fileName(name), found: found, expected: shape)
    }
  }

  /// The multiplier whose layers have the shapes of most of the tensors. The published ones come first, since close ones
  /// may round to the same channels.
  private static func width(of tensors: NamedTensors) -> Double {
    let published = [1.0, 0.5, 0.75, 0.35, 1.4, 1.3, 0.25, 0.1]
    let others = (2...60).map { Double($0) / 20 }.filter { !published.contains($0) }
    func score(_ width: Double) -> Int {
      let description = NetworkDescription(
        widthMultiplier: width, inputSize: 128, padding: .symmetric, scaling: .signed)
      return description.layers.count {
        tensors.shape(tensors.names(of: $0).weight) == $0.shape(heightFirst: tensors.naming.isHeightFirst)
      }
    }
    var best = (width: published[0], score: score(published[0]))
    for width in published.dropFirst() + others {
      let score = score(width)
      if score > best.score { best = (width, score) }
    }
    return best.width
  }

  /// What files of weights have beside the network: the classifier, and what training kept.
  private static func isHarmless(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["classifier", "logits", "predictions", "num_batches_tracked", "global_step"].contains { name.contains($0) }
      || ["exponentialmovingaverage", "rmsprop", "rmsprop_1", "momentum", "adam", "adam_1"].contains {
        name.hasSuffix("/" + $0) || name.hasSuffix("." + $0)
      }
  }
}

extension NetworkLayer {
  /// The extents of the layer's weights in a file.
  func shape(heightFirst: Bool) -> [Int] {
    switch (operation, heightFirst) {
    case (.convolution3x3, true): [3, 3, inputs, outputs]
    case (.convolution3x3, false): [outputs, inputs, 3, 3]
    case (.convolution1x1, true): [1, 1, inputs, outputs]
    case (.convolution1x1, false): [outputs, inputs, 1, 1]
    case (.depthwise3x3, true): [3, 3, outputs, 1]
    case (.depthwise3x3, false): [outputs, 1, 3, 3]
    }
  }
}
