/// The weights of a network, batch norm folded in, one entry per layer of its description.
public struct NetworkWeights: Sendable, Equatable {
  /// The network that they belong to.
  public let description: NetworkDescription
  let layers: [LayerWeights]

  /// Reads every layer's tensors with `read`, which gives a matrix [taps][outputs] and a bias [outputs].
  init(
    description: NetworkDescription, read: (NetworkLayer) throws -> (matrix: [Float], bias: [Float])
  ) rethrows {
    self.description = description
    layers = try description.layers.map { layer in
      let (matrix, bias) = try read(layer)
      return LayerWeights(layer: layer, matrix: matrix, bias: bias)
    }
  }
}

/// `values` [rows][columns] as [columns][rows].
func transposed(_ values: [Float], rows: Int, columns: Int) -> [Float] {
  (0..<columns).flatMap { column in (0..<rows).map { values[$0 * columns + column] } }
}
