import Testing

@testable import Features

struct NetworkWeightsTests {
  @Test func descriptionIsThePapersHalfWidthNetwork() {
    let layers = NetworkDescription.kiano.layers
    #expect(layers.count == 1 + 2 + 16 * 3 + 1)
    #expect(
      layers.filter { $0.name.hasSuffix("project") }.map(\.outputs).reduce(into: []) { unique, outputs in
        if unique.last != outputs { unique.append(outputs) }
      } == [8, 16, 32, 48, 80, 160])
    #expect((31_000_000...31_700_000).contains(NetworkDescription.kiano.multiplyAdds))
    #expect(layers.last?.outputSize == 4)
  }

  @Test func widerNetworksAreThePapers() {
    let description = NetworkDescription(
      widthMultiplier: 1.4, inputSize: 224, padding: .symmetric, scaling: .imageNet)
    #expect(description.layers[0].outputs == 48)
    #expect(description.outputCount == 1792)
    #expect(description.layers.last?.outputSize == 7)
  }

  @Test(arguments: [0.35, 0.5, 1.0])
  func noLayerOverwritesWhatItOrItsBlockStillReads(width: Double) {
    let description = NetworkDescription(widthMultiplier: width, inputSize: 128, padding: .symmetric, scaling: .signed)
    var writer: [Int: Int] = [:]
    for (index, layer) in description.layers.enumerated() {
      #expect(layer.outputBuffer != layer.inputBuffer)
      #expect(layer.outputBuffer != layer.residualBuffer)
      if index > 0 { #expect(writer[layer.inputBuffer] == index - 1) }
      if let residual = layer.residualBuffer { #expect(writer[residual] == index - 3) }
      writer[layer.outputBuffer] = index
    }
  }

  @Test func packingPadsWithZeros() {
    let layer = NetworkLayer(
      name: "test", operation: .convolution1x1, inputs: 2, outputs: 17, inputSize: 1, stride: 1, paddingBefore: 0,
      isClamped: false, inputBuffer: 0, outputBuffer: 1, residualBuffer: nil)
    let packed = LayerWeights(layer: layer, matrix: (0..<34).map(Float.init), bias: (0..<17).map(Float.init))
    #expect(packed.weights.count == 4)
    #expect(packed.weights[1][0] == 17)
    #expect(packed.weights[2] == SIMD16(16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    #expect(packed.bias[1] == SIMD16(16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
