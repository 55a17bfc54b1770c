extension NetworkWeights {
  /// Batch norm's epsilon in Google's published checkpoints.
  private static let epsilon: Float = 1e-3

  /// Reads weights in the naming of TensorFlow's slim checkpoints, "/" written "."
  /// (`MobilenetV2.expanded_conv_3.expand.weights`, [height, width, inputs, outputs]; depthwise
  /// `...depthwise.depthwise_weights`, [3, 3, channels, 1]), and folds batch norm into them.
  ///
  /// - Throws: ``ModelFileError`` that names the tensor which is missing or of another shape.
  public init(tensorFlow source: some TensorSource, description: NetworkDescription) throws {
    try self.init(description: description) { layer in
      let scope = layer.tensorFlowScope
      let name = layer.operation == .depthwise3x3 ? "depthwise_weights" : "weights"
      let weights = try source.values("\(scope).\(name)", shape: layer.tensorFlowShape)
      func norm(_ name: String) throws -> [Float] {
        try source.values("\(scope).BatchNorm.\(name)", shape: [layer.outputs])
      }
      let (gamma, beta) = (try norm("gamma"), try norm("beta"))
      let (mean, variance) = (try norm("moving_mean"), try norm("moving_variance"))
      let scale = zip(gamma, variance).map { $0 / ($1 + Self.epsilon).squareRoot() }
      return (
        matrix: weights.enumerated().map { index, weight in weight * scale[index % layer.outputs] },
        bias: (0..<layer.outputs).map { beta[$0] - mean[$0] * scale[$0] }
      )
    }
  }
}

extension NetworkLayer {
  /// "stem" -> "MobilenetV2.Conv", "last" -> "MobilenetV2.Conv_1",
  /// "blocks.03.expand" -> "MobilenetV2.expanded_conv_3.expand"; the first block has no number.
  fileprivate var tensorFlowScope: String {
    switch name {
    case "stem": return "MobilenetV2.Conv"
    case "last": return "MobilenetV2.Conv_1"
    default:
      let parts = name.split(separator: ".")
      let block = Int(parts[1])!
      return "MobilenetV2.expanded_conv\(block == 0 ? "" : "_\(block)").\(parts[2])"
    }
  }

  fileprivate var tensorFlowShape: [Int] {
    switch operation {
    case .convolution3x3: [3, 3, inputs, outputs]
    case .convolution1x1: [1, 1, inputs, outputs]
    case .depthwise3x3: [3, 3, outputs, 1]
    }
  }
}
