/// Reads one layer's tensors and folds batch norm into them.
///
/// gamma (x w - mean) / sqrt(variance + epsilon) + beta  =  x (w scale) + (beta - mean scale),
/// scale = gamma / sqrt(variance + epsilon)
struct LayerReader {
  let tensors: NamedTensors
  let layer: NetworkLayer
  let epsilon: Float

  /// The matrix [taps][outputs] and the bias [outputs].
  func read() throws -> (matrix: [Float], bias: [Float]) {
    let names = tensors.names(of: layer)
    let values = try tensors.values(names.weight)
    var matrix = tensors.naming.isHeightFirst ? values : layer.matrix(outputsFirst: values)
    guard let norm = names.norm else { return (matrix, try tensors.values(names.bias!)) }
    let (gamma, beta) = (try tensors.values(norm.gamma), try tensors.values(norm.beta))
    let (mean, variance) = (try tensors.values(norm.mean), try tensors.values(norm.variance))
    let scale = zip(gamma, variance).map { $0 / ($1 + epsilon).squareRoot() }
    for index in matrix.indices { matrix[index] *= scale[index % layer.outputs] }
    let bias = (0..<layer.outputs).map { beta[$0] - mean[$0] * scale[$0] }
    guard matrix.allSatisfy(\.isFinite), bias.allSatisfy(\.isFinite) else {
      throw ImportError.unusableOutput("the batch norm of \(names.weight) gives numbers that aren't finite")
    }
    return (matrix, bias)
  }
}

extension NetworkLayer {
  /// Weights [outputs, inputs, height, width] as [taps][outputs]. A stem's taps go from [input][pixel] to
  /// [pixel][input].
  func matrix(outputsFirst weights: [Float]) -> [Float] {
    let taps = transposed(weights, rows: outputs, columns: self.taps)
    guard operation == .convolution3x3 else { return taps }
    return (0..<9).flatMap { pixel in
      (0..<inputs).flatMap { input in
        let tap = input * 9 + pixel
        return taps[tap * outputs..<(tap + 1) * outputs]
      }
    }
  }

  /// A matrix [taps][outputs] as weights [outputs, inputs, height, width].
  func outputsFirst(_ matrix: [Float]) -> [Float] {
    guard operation == .convolution3x3 else { return transposed(matrix, rows: taps, columns: outputs) }
    let taps = (0..<inputs).flatMap { input in
      (0..<9).flatMap { pixel in
        let tap = pixel * inputs + input
        return matrix[tap * outputs..<(tap + 1) * outputs]
      }
    }
    return transposed(taps, rows: self.taps, columns: outputs)
  }
}

extension NetworkWeights {
  /// Runs a picture through the network, so that weights of another one, or damaged ones, are found before a library is
  /// read with them.
  ///
  /// - Throws: ``ImportError/unusableOutput(_:)``
  public func check() throws {
    let size = description.inputSize
    let picture = (0..<size * size * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 / 61 &+ $0 / (size * 3) * 7) }
    var descriptor = [Float](repeating: 0, count: description.outputCount)
    picture.withUnsafeBufferPointer { picture in
      descriptor.withUnsafeMutableBufferPointer {
        PlainNetwork(self).run(picture.baseAddress!, in: Workspace(description), descriptor: $0.baseAddress!)
      }
    }
    if !descriptor.allSatisfy(\.isFinite) {
      throw ImportError.unusableOutput("a test picture gives numbers that aren't finite")
    }
    if descriptor.allSatisfy({ $0 == 0 }) { throw ImportError.unusableOutput("a test picture gives zeros only") }
  }
}
