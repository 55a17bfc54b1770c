extension NetworkWeights {
  /// Reads weights in our own naming: for each layer `NAME.weight` in PyTorch's order, [outputs, inputs, height, width]
  /// or, depthwise, [channels, 1, 3, 3], and `NAME.bias`, with batch norm folded in.
  ///
  /// - Throws: ``ModelFileError`` that names the tensor which is missing or of another shape.
  public init(folded source: some TensorSource, description: NetworkDescription) throws {
    try self.init(description: description) { layer in
      let bias = try source.values(layer.name + ".bias", shape: [layer.outputs])
      let weights = try source.values(layer.name + ".weight", shape: layer.pyTorchShape)
      return (matrix(weights, of: layer), bias)
    }
  }
}

extension NetworkLayer {
  fileprivate var pyTorchShape: [Int] {
    switch operation {
    case .convolution3x3: [outputs, inputs, 3, 3]
    case .convolution1x1: [outputs, inputs, 1, 1]
    case .depthwise3x3: [outputs, 1, 3, 3]
    }
  }
}

/// `weights` in PyTorch's order as [taps][outputs]. A stem's taps go from [input][pixel] to [pixel][input].
private func matrix(_ weights: [Float], of layer: NetworkLayer) -> [Float] {
  let taps = transposed(weights, rows: layer.outputs, columns: layer.taps)
  guard layer.operation == .convolution3x3 else { return taps }
  return (0..<9).flatMap { pixel in
    (0..<layer.inputs).flatMap { input in
      let tap = input * 9 + pixel
      return taps[tap * layer.outputs..<(tap + 1) * layer.outputs]
    }
  }
}
