import Compute

/// A layer's weights and biases on a device, in the layout of ``LayerWeights``.
struct DeviceLayerWeights: Sendable {
  let weights: Buffer
  let bias: Buffer

  init(_ layer: LayerWeights, device: Device) throws {
    weights = try device.makeBuffer(copying: layer.weights)
    bias = try device.makeBuffer(copying: layer.bias)
  }
}
