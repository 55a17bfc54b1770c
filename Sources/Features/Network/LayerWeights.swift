/// Weights and biases of one layer, in the layout that both implementations compute with.
///
/// ```
/// weights  [outputs / 16][taps][16]     bias  [outputs / 16][16]
///
///   taps of a 1x1 convolution: input channels
///   taps of a 3x3 convolution: row, column, input channel
///   taps of a depthwise one:   row, column
/// ```
/// Sixteen outputs of one tap are one vector, and a tile of sixteen outputs is one run of memory. Outputs beyond the
/// layer's are zero.
struct LayerWeights: Sendable, Equatable {
  let weights: [SIMD16<Float>]
  let bias: [SIMD16<Float>]

  /// Packs `matrix` [taps][outputs] and `bias` [outputs].
  init(layer: NetworkLayer, matrix: [Float], bias: [Float]) {
    let tiles = layer.paddedOutputs / NetworkLayer.lanes
    weights = (0..<tiles).flatMap { tile in
      (0..<layer.taps).map { tap in
        vector(matrix[tap * layer.outputs..<(tap + 1) * layer.outputs], tile: tile)
      }
    }
    self.bias = (0..<tiles).map { vector(bias[...], tile: $0) }
  }

  /// What was packed, [taps][outputs].
  func matrix(of layer: NetworkLayer) -> [Float] {
    (0..<layer.taps).flatMap { tap in
      (0..<layer.outputs).map { weights[$0 / NetworkLayer.lanes * layer.taps + tap][$0 % NetworkLayer.lanes] }
    }
  }

  /// The bias, [outputs].
  func biases(of layer: NetworkLayer) -> [Float] {
    (0..<layer.outputs).map { bias[$0 / NetworkLayer.lanes][$0 % NetworkLayer.lanes] }
  }
}

/// Elements 16 `tile`... of `values`, zero beyond its end.
private func vector(_ values: ArraySlice<Float>, tile: Int) -> SIMD16<Float> {
  var result = SIMD16<Float>()
  for (lane, value) in values.dropFirst(tile * NetworkLayer.lanes).prefix(NetworkLayer.lanes).enumerated() {
    result[lane] = value
  }
  return result
}
