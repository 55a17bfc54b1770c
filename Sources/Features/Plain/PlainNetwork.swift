/// The network in plain Swift: the definition that the kernels are compared with, and the fallback without a device.
struct PlainNetwork: Sendable {
  let weights: NetworkWeights
  private let scaled: [Float]

  var description: NetworkDescription { weights.description }

  init(_ weights: NetworkWeights) {
    self.weights = weights
    scaled = weights.description.scaling.table
  }

  /// Computes the descriptor of one picture.
  ///
  /// - Parameters:
  ///   - picture: [inputSize, inputSize, 3], RGB
  ///   - workspace: Of this network; not used by another thread meanwhile.
  ///   - descriptor: Where [outputCount] values go.
  ///   - observe: Sees each layer's output, [outputSize, outputSize, paddedOutputs], after it ran.
  func run(
    _ picture: UnsafePointer<UInt8>, in workspace: Workspace, descriptor: UnsafeMutablePointer<Float>,
    observe: ((NetworkLayer, UnsafePointer<Vector>) -> Void)? = nil
  ) {
    for index in description.layers.indices {
      run(layer: index, picture, in: workspace)
      let layer = description.layers[index]
      observe?(layer, workspace.activations[layer.outputBuffer])
    }
    let last = description.layers[description.layers.count - 1]
    averagePool(
      workspace.activations[last.outputBuffer], pixels: last.outputPixels, channels: last.outputs, output: descriptor)
  }
  /// Computes one layer from what lies in the workspace.
  func run(layer index: Int, _ picture: UnsafePointer<UInt8>, in workspace: Workspace) {
    let (layer, layerWeights) = (description.layers[index], weights.layers[index])
    let input = workspace.activations[layer.inputBuffer]
    let output = workspace.activations[layer.outputBuffer]
    switch layer.operation {
    case .convolution3x3:
      convolveStem(layer, layerWeights, picture: picture, scaled: scaled, output: output)
    case .convolution1x1:
      let residual = layer.residualBuffer.map { UnsafePointer(workspace.activations[$0]) }
      convolve1x1(layer, layerWeights, input: input, residual: residual, output: output)
    case .depthwise3x3:
      convolveDepthwise3x3(layer, layerWeights, input: input, output: output)
    }
  }
}
