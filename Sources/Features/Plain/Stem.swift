/// The first layer: scales the picture and convolves 3x3 of its pixels, all three channels, into sixteen outputs each.
///
/// y[r, c, n] = act(bias[n] + sum over i, j, k of scaled(x[2 r + i - before, 2 c + j - before, k]) w[i, j, k, n])
///
/// The padding's zeros come after the scaling, which is why the scaling can't be folded into weights and bias.
///
/// - Parameters:
///   - picture: [inputSize, inputSize, 3], RGB
///   - scaled: The scaled value of each byte, [3][256].
///   - output: [outputSize, outputSize, paddedOutputs]
func convolveStem(
  _ layer: NetworkLayer, _ weights: LayerWeights, picture: UnsafePointer<UInt8>, scaled: [Float],
  output: UnsafeMutablePointer<Vector>
) {
  let tiles = layer.paddedOutputs / NetworkLayer.lanes
  let size = layer.inputSize
  let outputSize = layer.outputSize
  weights.weights.withUnsafeBufferPointer { allWeights in
    scaled.withUnsafeBufferPointer { scaled in
      for tile in 0..<tiles {
        let w = allWeights.baseAddress! + tile * 27
        let bias = weights.bias[tile]
        for row in 0..<outputSize {
          let (top, rows) = window(row, layer)
          for column in 0..<outputSize {
            let (left, columns) = window(column, layer)
            var sum = bias
            for i in rows {
              let x = picture + ((top + i) * size + left) * 3
              for j in columns {
                let tap = w + (i * 3 + j) * 3
                sum = scaled[Int(x[j * 3])] * tap[0] + sum
                sum = scaled[256 + Int(x[j * 3 + 1])] * tap[1] + sum
                sum = scaled[512 + Int(x[j * 3 + 2])] * tap[2] + sum
              }
            }
            output[(row * outputSize + column) * tiles + tile] = layer.isClamped ? sum.relu6 : sum
          }
        }
      }
    }
  }
}

extension NetworkDescription.InputScaling {
  /// The scaled value of each byte, [3][256].
  var table: [Float] {
    (0..<3).flatMap { channel in
      (0..<256).map { (Float($0) / 255 - mean[channel]) / deviation[channel] }
    }
  }
}
