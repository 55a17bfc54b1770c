import Compute

/// `kernels/pool.cl`; computes what `averagePool` does.
struct PoolKernel: Sendable {
  private let kernel: Kernel
  private let device: Device
  private let tuning: KernelTuning

  init(device: Device, tuning: KernelTuning) throws {
    let options = ["-DLANES=\(tuning.lanes)", "-DHALF=\(tuning.half)", "-DGROUP=\(tuning.group)"]
    kernel = try device.program(.embedded("pool"), options: options).kernel("pool")
    self.device = device
    self.tuning = tuning
  }

  /// - Parameters:
  ///   - pictures: Where their rows of `output` are.
  ///   - channels: A multiple of 16.
  ///   - input: [pictures.count, pixels, channels]
  ///   - output: [..., channels]
  func enqueue(pictures: Range<Int>, pixels: Int, channels: Int, input: Buffer, output: Buffer) throws {
    try device.enqueue(
      kernel, [.buffer(input), .buffer(output), .int(pictures.lowerBound), .int(pixels), .int(channels)],
      groups: [groupCount(channels / tuning.lanes, tuning.group), pictures.count], groupSize: [tuning.group, 1])
  }
}
