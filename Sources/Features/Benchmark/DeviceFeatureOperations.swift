import Compute

/// What is measured of the vectors of pictures on a device: the network, each of its layers, appearance and projection.
public struct DeviceFeatureOperations {
  private let model: ContentModel
  private let device: Device
  private let batch: DeviceBatch
  private let count: Int

  /// - Parameter count: pictures that are computed together.
  /// - Throws: `ComputeError` where the device has no memory for them, or a kernel doesn't build.
  public init(model: ContentModel = .kiano, device: Device, count: Int = 32) throws {
    self.model = model
    self.device = device
    self.count = count
    let tuning = HalfStorage(model: model, device: device).applied(to: .standard(for: device.description))
    batch = try DeviceBatch(
      model, device: device, tuning: tuning, capacity: count)
    let pixels = model.description.inputSize * model.description.inputSize * 3
    try batch.pictures.write((0..<count * pixels).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
    // So that layers, projection and all see numbers of the right size.
    try batch.network.enqueue(count: count, input: batch.pictures, descriptors: batch.descriptors)
    try device.finish()
  }

  /// The operations.
  public func operations() -> [BenchmarkOperation] {
    let finish = { [device] in try device.finish() }
    let network = BenchmarkOperation(
      stage: "network", unit: "pictures", items: count,
      floatOperations: 2 * Double(model.description.multiplyAdds * count),
      run: { [batch, count] in
        try batch.network.enqueue(count: count, input: batch.pictures, descriptors: batch.descriptors)
      }, finish: finish)
    let layers = model.description.layers.indices.map { index in
      let layer = model.description.layers[index]
      let pictures = batch.network.picturesToMeasure(layer: index)
      return BenchmarkOperation(
        stage: "layer", detail: layer.name, unit: "pictures", items: pictures,
        floatOperations: 2 * Double(layer.multiplyAdds * pictures),
        bytes: batch.network.isBoundByMemory ? layer.minimumBytes(pictures: pictures) : 0,
        run: { [batch] in try batch.network.enqueue(layer: index, input: batch.pictures) },
        finish: finish)
    }
    let stride = FeatureVectors.byteCount
    let pixels = model.description.inputSize * model.description.inputSize
    return [network] + layers + [
      BenchmarkOperation(
        stage: "projection", unit: "pictures", items: count,
        floatOperations: 2 * Double(count * model.projection.inputCount * Projection.outputCount),
        run: { [batch, count] in
          try batch.projection.enqueue(
            pictures: count, descriptors: batch.descriptors, bytes: batch.bytes, byteStride: stride)
        }, finish: finish),
      BenchmarkOperation(
        stage: "appearance", unit: "pictures", items: count, bytes: Double(count * pixels * 3),
        run: { [batch, count, size = model.description.inputSize] in
          try batch.appearance.enqueue(
            pictures: count, size: size, input: batch.pictures, bytes: batch.bytes, byteStride: stride,
            firstByte: Projection.outputCount)
        }, finish: finish),
    ]
  }
}

extension NetworkLayer {
  /// What must be read and written at least: input, weights, residual and output, as floats.
  func minimumBytes(pictures: Int) -> Double {
    let input = inputSize * inputSize * (operation == .convolution3x3 ? 3 : 4 * inputs)
    let output = 4 * outputPixels * outputs * (residualBuffer == nil ? 1 : 2)
    return Double(pictures * (input + output) + 4 * taps * outputs)
  }
}
