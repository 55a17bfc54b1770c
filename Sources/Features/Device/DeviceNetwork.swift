import Compute

/// The network on an OpenCL device, with the memory for one pass.
struct DeviceNetwork: Sendable {
  let description: NetworkDescription
  private let layers: [DeviceLayerWeights]
  private let activations: [Buffer]
  /// Pictures that go through the layers together.
  let picturesPerPass: Int
  private let stem: StemKernel
  private let convolution1x1: Convolution1x1Kernel
  private let depthwise3x3: Depthwise3x3Kernel
  private let pool: PoolKernel

  /// - Parameter picturesPerPass: Pictures that go through the layers together.
  init(_ weights: NetworkWeights, device: Device, tuning: KernelTuning, picturesPerPass: Int) throws {
    description = weights.description
    layers = try weights.layers.map { try DeviceLayerWeights($0, device: device) }
    let count = picturesPerPass * weights.description.activationVectors
    let bytes = count * MemoryLayout<Vector>.stride >> tuning.half
    activations = try (0..<NetworkLayer.bufferCount).map { _ in try device.makeBuffer(byteCount: bytes) }
    self.picturesPerPass = picturesPerPass
    stem = try StemKernel(device: device, tuning: tuning, scaling: weights.description.scaling)
    convolution1x1 = try Convolution1x1Kernel(device: device, tuning: tuning)
    depthwise3x3 = try Depthwise3x3Kernel(device: device, tuning: tuning)
    pool = try PoolKernel(device: device, tuning: tuning)
  }

  /// Enqueues the network for pictures 0..<count.
  ///
  /// - Parameters:
  ///   - input: [count, inputSize, inputSize, 3] bytes, RGB
  ///   - descriptors: [count, outputCount padded to a multiple of 16]
  ///   - observe: Sees each layer's output for the pictures of a pass, [pictures, outputSize, outputSize,
  ///     paddedOutputs], after it was enqueued.
  func enqueue(
    count: Int, input: Buffer, descriptors: Buffer,
    observe: ((NetworkLayer, Range<Int>, Buffer) throws -> Void)? = nil
  ) throws {
    for first in stride(from: 0, to: count, by: picturesPerPass) {
      let pictures = first..<min(first + picturesPerPass, count)
      for index in layers.indices {
        try enqueue(layer: index, pictures: pictures, input: input)
        let layer = description.layers[index]
        try observe?(layer, pictures, activations[layer.outputBuffer])
      }
      let last = description.layers[description.layers.count - 1]
      try pool.enqueue(
        pictures: pictures, pixels: last.outputPixels, channels: last.paddedOutputs,
        input: activations[last.outputBuffer], output: descriptors)
    }
  }

  /// Enqueues one layer for the first pictures, from what lies in the buffers.
  func enqueue(layer index: Int, pictures: Int, input: Buffer) throws {
    try enqueue(layer: index, pictures: 0..<pictures, input: input)
  }

  private func enqueue(layer index: Int, pictures: Range<Int>, input: Buffer) throws {
    let (layer, weights) = (description.layers[index], layers[index])
    let source = activations[layer.inputBuffer]
    let output = activations[layer.outputBuffer]
    switch layer.operation {
    case .convolution3x3:
      try stem.enqueue(layer, weights, pictures: pictures, input: input, output: output)
    case .convolution1x1:
      try convolution1x1.enqueue(
        layer, weights, pictures: pictures.count, input: source,
        residual: layer.residualBuffer.map { activations[$0] }, output: output)
    case .depthwise3x3:
      try depthwise3x3.enqueue(layer, weights, pictures: pictures.count, input: source, output: output)
    }
  }
}
