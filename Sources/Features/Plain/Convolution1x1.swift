/// y[p, n] = act(bias[n] + sum over k of x[p, k] w[k, n]) + residual[p, n]
///
/// Two pixels by sixteen outputs at a time: eight registers of SSE hold the sums, four the weights. That was faster than
/// 4x8 and 6x8 and within a tenth of 3x16, which would leave a remainder at most sizes.
///
/// - Parameters:
///   - input: [pixels, paddedInputs]
///   - residual: [pixels, paddedOutputs], or nothing to add nothing.
///   - output: [pixels, paddedOutputs]
func convolve1x1(
  _ layer: NetworkLayer, _ weights: LayerWeights, input: UnsafePointer<Vector>, residual: UnsafePointer<Vector>?,
  output: UnsafeMutablePointer<Vector>
) {
  let tiles = layer.paddedOutputs / NetworkLayer.lanes
  let inputStride = layer.paddedInputs
  let inputs = layer.inputs
  let pixels = layer.outputPixels
  let isClamped = layer.isClamped
  let x = UnsafeRawPointer(input).assumingMemoryBound(to: Float.self)
  weights.weights.withUnsafeBufferPointer { allWeights in
    for tile in 0..<tiles {
      let w = allWeights.baseAddress! + tile * inputs
      let bias = weights.bias[tile]
      for first in stride(from: 0, to: pixels, by: 2) {
        // At an odd end both are the same pixel.
        let second = min(first + 1, pixels - 1)
        let x0 = x + first * inputStride
        let x1 = x + second * inputStride
        var sum0 = bias
        var sum1 = bias
        for k in 0..<inputs {
          let weight = w[k]
          sum0 = x0[k] * weight + sum0
          sum1 = x1[k] * weight + sum1
        }
        if isClamped {
          sum0 = sum0.relu6
          sum1 = sum1.relu6
        }
        if let residual {
          sum0 += residual[first * tiles + tile]
          sum1 += residual[second * tiles + tile]
        }
        output[first * tiles + tile] = sum0
        output[second * tiles + tile] = sum1
      }
    }
  }
}
