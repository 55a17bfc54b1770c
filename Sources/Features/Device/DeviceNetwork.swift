import Compute

/// The network on an OpenCL device, with the memory that it needs for a batch.
protocol DeviceNetwork: Sendable {
  /// Enqueues the network for pictures 0..<count.
  ///
  /// - Parameters:
  ///   - input: [count, inputSize, inputSize, 3] bytes, RGB
  ///   - descriptors: [count, outputCount padded to a multiple of 16]
  func enqueue(count: Int, input: Buffer, descriptors: Buffer) throws

  /// What layer number `index` gives for pictures 0..<count: [count, outputSize, outputSize, paddedOutputs].
  func outputs(ofLayer index: Int, count: Int, input: Buffer) throws -> [Float]

  /// Whether a layer's input and output go through the device's memory, rather than caches only.
  var isBoundByMemory: Bool { get }

  /// Pictures that `enqueue(layer:input:)` computes a layer for.
  func picturesToMeasure(layer: Int) -> Int

  /// Enqueues one layer from what lies in memory, to measure it.
  func enqueue(layer index: Int, input: Buffer) throws
}

extension KernelTuning {
  /// The network in the way of this tuning.
  ///
  /// - Parameter capacity: pictures of a batch at most.
  /// - Throws: `ComputeError`; where memory is short, one with `isOutOfMemory`.
  func network(_ weights: NetworkWeights, device: Device, capacity: Int) throws -> any DeviceNetwork {
    takesWholePictures
      ? try WholeNetwork(weights, device: device, tuning: self, capacity: capacity)
      : try LayeredNetwork(weights, device: device, tuning: self, capacity: capacity)
  }
}
