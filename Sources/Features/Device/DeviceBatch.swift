import Compute

/// All that a batch of pictures needs on a device, allocated once.
struct DeviceBatch: Sendable {
  /// Pictures that fit.
  let capacity: Int
  let network: any DeviceNetwork
  let projection: ProjectionKernels
  let appearance: AppearanceKernels
  /// [capacity, inputSize, inputSize, 3]
  let pictures: Buffer
  /// [capacity, outputCount padded to a multiple of 16] floats
  let descriptors: Buffer
  /// [capacity, 114]: content, then appearance.
  let bytes: Buffer

  /// - Throws: `ComputeError`; where memory is short, one with `isOutOfMemory`.
  init(_ model: ContentModel, device: Device, tuning: KernelTuning, capacity: Int) throws {
    let description = model.description
    self.capacity = capacity
    // What grows with the batch first, so that too large a one fails before anything else is made.
    pictures = try device.makeBuffer(byteCount: capacity * description.inputSize * description.inputSize * 3)
    descriptors = try device.makeBuffer(of: Float.self, count: capacity * padded(description.outputCount))
    bytes = try device.makeBuffer(byteCount: capacity * FeatureVectors.byteCount)
    network = try tuning.network(model.weights, device: device, capacity: capacity)
    projection = try ProjectionKernels(model.projection, device: device, tuning: tuning, capacity: capacity)
    appearance = try AppearanceKernels(device: device, tuning: tuning, capacity: capacity)
  }

  /// The largest batch of at most `capacity` pictures that the device has memory for.
  static func largest(_ model: ContentModel, device: Device, tuning: KernelTuning, capacity: Int) throws -> DeviceBatch
  {
    do {
      return try DeviceBatch(model, device: device, tuning: tuning, capacity: capacity)
    } catch let error as ComputeError where error.isOutOfMemory && capacity > 1 {
      return try largest(model, device: device, tuning: tuning, capacity: capacity / 2)
    }
  }
}
