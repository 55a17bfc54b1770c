/// y[r, c, n] = act(bias[n] + sum over i, j of x[s r + i - before, s c + j - before, n] w[i, j, n]), x zero outside.
///
/// Sixteen channels of a row at a time, so that their nine weights stay in the nearest cache.
///
/// - Parameters:
///   - input: [inputSize, inputSize, paddedInputs]
///   - output: [outputSize, outputSize, paddedOutputs]
func convolveDepthwise3x3(
  _ layer: NetworkLayer, _ weights: LayerWeights, input: UnsafePointer<Vector>, output: UnsafeMutablePointer<Vector>
) {
  let tiles = layer.paddedOutputs / NetworkLayer.lanes
  let size = layer.inputSize
  let outputSize = layer.outputSize
  let isClamped = layer.isClamped
  weights.weights.withUnsafeBufferPointer { allWeights in
    for row in 0..<outputSize {
      let (top, rows) = window(row, layer)
      for tile in 0..<tiles {
        let w = allWeights.baseAddress! + tile * 9
        let bias = weights.bias[tile]
        for column in 0..<outputSize {
          let (left, columns) = window(column, layer)
          var sum = bias
          for i in rows {
            let x = input + ((top + i) * size + left) * tiles + tile
            for j in columns {
              sum = x[j * tiles] * w[i * 3 + j] + sum
            }
          }
          output[(row * outputSize + column) * tiles + tile] = isClamped ? sum.relu6 : sum
        }
      }
    }
  }
}

/// Where the window of output `index` starts along one side, and which of its three taps lie inside the input.
@inline(__always)
func window(_ index: Int, _ layer: NetworkLayer) -> (start: Int, taps: Range<Int>) {
  let start = index * layer.stride - layer.paddingBefore
  return (start, max(0, -start)..<min(3, layer.inputSize - start))
}
