import Compute

/// `kernels/project.cl`; computes what ``Projection/bytes(_:)`` does.
struct ProjectionKernels: Sendable {
  private let componentsKernel: Kernel
  private let bytesKernel: Kernel
  private let device: Device
  private let group: Int
  private let inputCount: Int
  private let mean: Buffer
  private let components: Buffer
  private let projected: Buffer

  /// - Parameter capacity: Pictures that may be projected at once.
  init(_ projection: Projection, device: Device, tuning: KernelTuning, capacity: Int) throws {
    group = Projection.outputCount / tuning.lanes
    let options = ["-DLANES=\(tuning.lanes)", "-DGROUP=\(group)"]
    let program = try device.program(.embedded("project"), options: options)
    componentsKernel = try program.kernel("project_components")
    bytesKernel = try program.kernel("project_bytes")
    self.device = device
    inputCount = projection.inputCount
    mean = try device.makeBuffer(copying: projection.mean)
    components = try device.makeBuffer(
      copying: transposed(projection.components, rows: Projection.outputCount, columns: inputCount))
    // Zeros from the host, since oclgrind 21.10 knows only of such buffers whether they are initialised.
    projected = try device.makeBuffer(copying: [Float](repeating: 0, count: capacity * Projection.outputCount))
  }

  /// - Parameters:
  ///   - descriptors: [pictures, inputCount padded to a multiple of 16]
  ///   - bytes: [pictures, byteStride]; the first 64 of each row are written.
  func enqueue(pictures: Int, descriptors: Buffer, bytes: Buffer, byteStride: Int) throws {
    try device.enqueue(
      componentsKernel,
      [
        .buffer(descriptors), .buffer(mean), .buffer(components), .buffer(projected), .int(inputCount),
        .int(padded(inputCount)),
      ],
      groups: [1, pictures], groupSize: [group, 1])
    try device.enqueue(
      bytesKernel, [.buffer(projected), .buffer(bytes), .int(byteStride)],
      groups: [1, pictures], groupSize: [Projection.outputCount, 1])
  }
}
