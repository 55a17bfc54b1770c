import Compute

/// The network layer by layer, each for several pictures at once, as GPUs like it.
struct LayeredNetwork: DeviceNetwork {
  private let description: NetworkDescription
  private let layers: [DeviceLayerWeights]
  private let activations: [Buffer]
  private let picturesPerPass: Int
  private let stem: StemKernel
  private let convolution1x1: Convolution1x1Kernel
  private let depthwise3x3: Depthwise3x3Kernel
  private let pool: PoolKernel

  /// - Parameter capacity: pictures of a batch at most.
  init(_ weights: NetworkWeights, device: Device, tuning: KernelTuning, capacity: Int) throws {
    description = weights.description
    let passBytes = weights.description.activationVectors * MemoryLayout<Vector>.stride
    let largestPass = Int(clamping: device.description.maximumAllocationBytes) / passBytes
    picturesPerPass = max(1, min(tuning.picturesPerPass, capacity, largestPass))
    layers = try weights.layers.map { try DeviceLayerWeights($0, device: device) }
    let bytes = picturesPerPass * passBytes >> tuning.half
    activations = try (0..<NetworkLayer.bufferCount).map { _ in try device.makeBuffer(byteCount: bytes) }
    stem = try StemKernel(device: device, tuning: tuning, scaling: weights.description.scaling)
    convolution1x1 = try Convolution1x1Kernel(device: device, tuning: tuning)
    depthwise3x3 = try Depthwise3x3Kernel(device: device, tuning: tuning)
    pool = try PoolKernel(device: device, tuning: tuning)
  }

  func enqueue(count: Int, input: Buffer, descriptors: Buffer) throws {
    let last = description.layers[description.layers.count - 1]
    try forEachPass(count) { pictures in
      for index in layers.indices { try enqueue(layer: index, pictures: pictures, input: input) }
      try pool.enqueue(
        pictures: pictures, pixels: last.outputPixels, channels: last.paddedOutputs,
        input: activations[last.outputBuffer], output: descriptors)
    }
  }

  func outputs(ofLayer index: Int, count: Int, input: Buffer) throws -> [Float] {
    let layer = description.layers[index]
    var outputs: [Float] = []
    try forEachPass(count) { pictures in
      for index in 0...index { try enqueue(layer: index, pictures: pictures, input: input) }
      outputs += try activations[layer.outputBuffer].read(
        Float.self, count: pictures.count * layer.outputPixels * layer.paddedOutputs)
    }
    return outputs
  }

  var isBoundByMemory: Bool { true }

  func picturesToMeasure(layer: Int) -> Int { picturesPerPass }

  func enqueue(layer index: Int, input: Buffer) throws {
    try enqueue(layer: index, pictures: 0..<picturesPerPass, input: input)
  }

  private func forEachPass(_ count: Int, _ body: (Range<Int>) throws -> Void) rethrows {
    for first in stride(from: 0, to: count, by: picturesPerPass) {
      try body(first..<min(first + picturesPerPass, count))
    }
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
