import Compute

/// `kernels/convolution_1x1.cl`; computes what `convolve1x1` does.
struct Convolution1x1Kernel: Sendable {
  private let kernel: Kernel
  private let device: Device
  private let tuning: KernelTuning

  init(device: Device, tuning: KernelTuning) throws {
    let options = [
      "-DROWS=\(tuning.rows)", "-DLANES=\(tuning.lanes)", "-DHALF=\(tuning.half)", "-DGROUP_X=\(tuning.groupX)",
      "-DGROUP_Y=\(tuning.groupPixels)",
    ]
    kernel = try device.program(.embedded("convolution_1x1"), options: options).kernel("convolution_1x1")
    self.device = device
    self.tuning = tuning
  }

  /// - Parameters:
  ///   - input: [pictures, outputPixels, paddedInputs]
  ///   - residual: [pictures, outputPixels, paddedOutputs], or nothing to add nothing.
  ///   - output: [pictures, outputPixels, paddedOutputs]
  func enqueue(
    _ layer: NetworkLayer, _ weights: DeviceLayerWeights, pictures: Int, input: Buffer, residual: Buffer?,
    output: Buffer
  ) throws {
    let pixels = pictures * layer.outputPixels
    let (low, high) = layer.bounds
    try device.enqueue(
      kernel,
      [
        .buffer(input), .buffer(weights.weights), .buffer(weights.bias), .buffer(residual ?? input), .buffer(output),
        .int(pixels), .int(layer.inputs), .int(layer.paddedInputs), .int(layer.paddedOutputs), low, high,
        .int(residual == nil ? 0 : 1),
      ],
      groups: [
        groupCount(layer.paddedOutputs / tuning.lanes, tuning.groupX),
        groupCount(groupCount(pixels, tuning.rows), tuning.groupPixels),
      ],
      groupSize: [tuning.groupX, tuning.groupPixels])
  }
}
