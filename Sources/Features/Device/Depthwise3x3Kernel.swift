import Compute

/// `kernels/depthwise_3x3.cl`; computes what `convolveDepthwise3x3` does.
struct Depthwise3x3Kernel: Sendable {
  private let kernel: Kernel
  private let device: Device
  private let tuning: KernelTuning

  init(device: Device, tuning: KernelTuning) throws {
    kernel = try device.program(.embedded("depthwise_3x3"), options: tuning.windowOptions).kernel("depthwise_3x3")
    self.device = device
    self.tuning = tuning
  }

  /// - Parameters:
  ///   - input: [pictures, inputSize, inputSize, paddedInputs]
  ///   - output: [pictures, outputSize, outputSize, paddedOutputs]
  func enqueue(
    _ layer: NetworkLayer, _ weights: DeviceLayerWeights, pictures: Int, input: Buffer, output: Buffer
  ) throws {
    let (low, high) = layer.bounds
    try device.enqueue(
      kernel,
      [
        .buffer(input), .buffer(weights.weights), .buffer(weights.bias), .buffer(output), .int(pictures),
        .int(layer.inputSize), .int(layer.outputSize), .int(layer.paddedOutputs), .int(layer.stride),
        .int(layer.paddingBefore), low, high,
      ],
      groups: tuning.windowGroups(layer, pictures: pictures), groupSize: tuning.windowGroupSize)
  }
}

extension KernelTuning {
  /// Options of the kernels that slide a 3x3 window.
  var windowOptions: [String] {
    [
      "-DLANES=\(lanes)", "-DHALF=\(half)", "-DCOLUMNS=\(columns)", "-DGROUP_X=\(groupX)", "-DGROUP_Y=\(groupColumns)",
      "-DGROUP_Z=\(groupRows)",
    ]
  }

  var windowGroupSize: [Int] { [groupX, groupColumns, groupRows] }

  /// Groups for vectors of channels, strips of columns, rows of all pictures.
  func windowGroups(_ layer: NetworkLayer, pictures: Int) -> [Int] {
    [
      groupCount(layer.paddedOutputs / lanes, groupX),
      groupCount(groupCount(layer.outputSize, columns), groupColumns),
      groupCount(pictures * layer.outputSize, groupRows),
    ]
  }
}
