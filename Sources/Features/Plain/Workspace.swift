/// The memory that one thread runs the plain network in; allocated once, used for any number of pictures.
final class Workspace {
  /// The buffers of ``NetworkLayer``, each large enough for every layer.
  let activations: [UnsafeMutablePointer<Vector>]

  init(_ description: NetworkDescription) {
    let count = description.activationVectors
    activations = (0..<NetworkLayer.bufferCount).map { _ in
      let buffer = UnsafeMutablePointer<Vector>.allocate(capacity: count)
      buffer.initialize(repeating: Vector(), count: count)
      return buffer
    }
  }

  deinit {
    activations.forEach { $0.deallocate() }
  }
}

extension NetworkDescription {
  /// Vectors of the largest layer output.
  var activationVectors: Int {
    layers.map { $0.outputPixels * $0.paddedOutputs / NetworkLayer.lanes }.max() ?? 0
  }
}
