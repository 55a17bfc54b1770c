import Compute

/// `kernels/stem.cl`; computes what `convolveStem` does.
struct StemKernel: Sendable {
  private let kernel: Kernel
  private let device: Device
  private let tuning: KernelTuning
  private let scaling: Buffer

  init(device: Device, tuning: KernelTuning, scaling: NetworkDescription.InputScaling) throws {
    kernel = try device.program(.embedded("stem"), options: tuning.windowOptions).kernel("stem")
    self.device = device
    self.tuning = tuning
    self.scaling = try device.makeBuffer(copying: scaling.factorsAndShifts)
  }

  /// - Parameters:
  ///   - input: [..., inputSize, inputSize, 3] bytes, RGB
  ///   - pictures: Which of them.
  ///   - output: [pictures.count, outputSize, outputSize, paddedOutputs]
  func enqueue(
    _ layer: NetworkLayer, _ weights: DeviceLayerWeights, pictures: Range<Int>, input: Buffer, output: Buffer
  ) throws {
    try device.enqueue(
      kernel,
      [
        .buffer(input), .buffer(scaling), .buffer(weights.weights), .buffer(weights.bias), .buffer(output),
        .int(pictures.lowerBound), .int(pictures.count), .int(layer.inputSize), .int(layer.outputSize),
        .int(layer.paddedOutputs), .int(layer.paddingBefore),
      ],
      groups: tuning.windowGroups(layer, pictures: pictures.count), groupSize: tuning.windowGroupSize)
  }
}

extension NetworkDescription.InputScaling {
  /// What a byte is multiplied by, and what is added then: R, G, B, R, G, B.
  var factorsAndShifts: [Float] {
    deviation.map { 1 / (255 * $0) } + zip(mean, deviation).map { -$0 / $1 }
  }
}
