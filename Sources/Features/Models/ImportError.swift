/// Why a file can't be imported as a network.
public enum ImportError: Error, Equatable, CustomStringConvertible {
  /// None of the namings fits.
  case unknownNaming
  /// Tensors that are missing, of another shape, or belong to no layer.
  case mismatch(naming: TensorNaming, width: Double, problems: [ModelFileError], extra: [String])
  /// A test picture gives nothing that could be compared.
  case unusableOutput(String)
  /// What a file says of itself makes no sense.
  case metadata(String)

  /// The failure in words, one line for each tensor.
  public var description: String {
    switch self {
    case .unknownNaming:
      return "there is no MobileNetV2 in it: known are our own names (stem.weight), TensorFlow's "
        + "(MobilenetV2/Conv/weights), Keras' (Conv1/kernel) and PyTorch's (features.0.0.weight), with anything before them"
    case .mismatch(let naming, let width, let problems, let extra):
      let head = "it is no MobileNetV2 of width \(width) in \(naming.label) naming:"
      let lines = problems.map(\.description) + extra.map { "tensor \($0) belongs to no layer" }
      return ([head] + lines).joined(separator: "\n  ")
    case .unusableOutput(let what): return "the network can't be right: \(what)"
    case .metadata(let what): return "what the file says of itself makes no sense: \(what)"
    }
  }
}

extension TensorNaming {
  /// The naming for people.
  public var label: String {
    switch self {
    case .folded: "our own"
    case .tensorFlow: "TensorFlow's"
    case .keras: "Keras'"
    case .torchvision: "torchvision's"
    case .sequential: "PyTorch's"
    }
  }
}
