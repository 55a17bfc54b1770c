import Compute

extension SelfTestSuite {
  /// Whether a device computes the vectors of pictures.
  public static func features(on device: DeviceDescription) -> SelfTestSuite {
    features(tuning: .standard(for: device))
  }

  /// Whether a device computes them in the way of a tuning.
  static func features(tuning: KernelTuning) -> SelfTestSuite {
    let network =
      tuning.takesWholePictures
      ? [SelfTest("whole_network") { try wholeNetworkIsRight($0, tuning) }]
      : [
        SelfTest("stem") { try LayerSelfTest(device: $0, tuning: tuning).stem() },
        SelfTest("convolution_1x1") { try LayerSelfTest(device: $0, tuning: tuning).convolution1x1() },
        SelfTest("depthwise_3x3") { try LayerSelfTest(device: $0, tuning: tuning).depthwise3x3() },
        SelfTest("pool") { try LayerSelfTest(device: $0, tuning: tuning).pool() },
      ]
    return SelfTestSuite(
      "features", variant: "\(tuning)",
      network + [
        SelfTest("project") { try projectionIsRight($0, tuning) },
        SelfTest("appearance") { try appearanceIsRight($0, tuning) },
      ])
  }

  /// A network of the smallest pictures, with residuals, and channels that don't fill vectors.
  private static func wholeNetworkIsRight(_ device: Device, _ tuning: KernelTuning) throws -> Bool {
    let description = NetworkDescription(
      widthMultiplier: 0.35, inputSize: 32, padding: .tensorFlowSame, scaling: .imageNet)
    var random = SelfTestNumbers(seed: 9)
    let weights = NetworkWeights(description: description) { layer in
      // Neither growing from layer to layer nor vanishing.
      let scale = (6 / Float(layer.taps)).squareRoot()
      return (
        (0..<layer.taps * layer.outputs).map { _ in random.float() * scale },
        (0..<layer.outputs).map { _ in random.float() / 4 }
      )
    }
    let (count, channels) = (3, description.outputCount)
    let pictures = (0..<count * 32 * 32 * 3).map { _ in random.byte() }
    let descriptors = try device.makeBuffer(of: Float.self, count: count * padded(channels))
    try tuning.network(weights, device: device, capacity: count).enqueue(
      count: count, input: device.makeBuffer(copying: pictures), descriptors: descriptors)
    let found = try descriptors.read(Float.self, count: count * padded(channels))
    let (plain, workspace) = (PlainNetwork(weights), Workspace(description))
    return pictures.withUnsafeBufferPointer { pictures in
      (0..<count).allSatisfy { picture in
        let expected = [Float](unsafeUninitializedCapacity: channels) { buffer, filled in
          plain.run(pictures.baseAddress! + picture * 32 * 32 * 3, in: workspace, descriptor: buffer.baseAddress!)
          filled = channels
        }
        return isNear(found[picture * padded(channels)..<picture * padded(channels) + channels], expected)
      }
    }
  }

  private static func projectionIsRight(_ device: Device, _ tuning: KernelTuning) throws -> Bool {
    let projection = ContentModel.kiano.projection
    var random = SelfTestNumbers(seed: 5)
    let descriptor = (0..<projection.inputCount).map { _ in abs(random.float()) }
    let bytes = try device.makeBuffer(byteCount: Projection.outputCount)
    let padding = [Float](repeating: 0, count: padded(projection.inputCount) - projection.inputCount)
    try ProjectionKernels(projection, device: device, tuning: tuning, capacity: 1).enqueue(
      pictures: 1, descriptors: device.makeBuffer(copying: descriptor + padding), bytes: bytes,
      byteStride: Projection.outputCount)
    let expected = descriptor.withUnsafeBufferPointer { projection.bytes($0) }
    // Sums in another order may round to the next number.
    return zip(try bytes.read(UInt8.self, count: Projection.outputCount), expected).allSatisfy {
      abs(Int($0) - Int($1)) <= 1
    }
  }

  private static func appearanceIsRight(_ device: Device, _ tuning: KernelTuning) throws -> Bool {
    let size = 64
    var random = SelfTestNumbers(seed: 6)
    // Noise above, a coarse pattern below.
    let picture = (0..<size * size * 3).map { index in
      index < size * size * 2 ? random.byte() : UInt8(index / 3 % size < size / 3 ? 230 : 20)
    }
    let bytes = try device.makeBuffer(byteCount: AppearanceVector.count)
    try AppearanceKernels(device: device, tuning: tuning, capacity: 1).enqueue(
      pictures: 1, size: size, input: device.makeBuffer(copying: picture), bytes: bytes,
      byteStride: AppearanceVector.count, firstByte: 0)
    return try bytes.read(UInt8.self, count: AppearanceVector.count) == AppearanceVector.bytes(picture, size: size)
  }
}

/// Whether values are equal but for rounding; what isn't a number isn't.
private func isNear(_ values: some Sequence<Float>, _ expected: [Float]) -> Bool {
  zip(values, expected).allSatisfy { abs($0 - $1) <= 1e-3 * max(1, abs($1)) }
}

/// One layer of each kind, smaller than the network's, on one picture.
private struct LayerSelfTest {
  let device: Device
  let tuning: KernelTuning

  func stem() throws -> Bool {
    let layer = layer(.convolution3x3, inputs: 3, outputs: 24, size: 18, stride: 2)
    let weights = weights(layer)
    var random = SelfTestNumbers(seed: 1)
    let picture = (0..<18 * 18 * 3).map { _ in random.byte() }
    let scaling = NetworkDescription.InputScaling.imageNet
    return try isRight(layer) { output in
      try StemKernel(device: device, tuning: tuning, scaling: scaling).enqueue(
        layer, DeviceLayerWeights(weights, device: device), pictures: 0..<1,
        input: device.makeBuffer(copying: picture), output: output)
    } definition: { output in
      picture.withUnsafeBufferPointer {
        convolveStem(layer, weights, picture: $0.baseAddress!, scaled: scaling.table, output: output)
      }
    }
  }

  func convolution1x1() throws -> Bool {
    let layer = layer(.convolution1x1, inputs: 40, outputs: 33, size: 5)
    let weights = weights(layer)
    let (input, residual) = (activations(layer, layer.inputs, seed: 2), activations(layer, layer.outputs, seed: 3))
    return try isRight(layer) { output in
      try Convolution1x1Kernel(device: device, tuning: tuning).enqueue(
        layer, DeviceLayerWeights(weights, device: device), pictures: 1, input: device.makeBuffer(copying: input),
        residual: device.makeBuffer(copying: residual), output: output)
    } definition: { output in
      input.withUnsafeBufferPointer { input in
        residual.withUnsafeBufferPointer { residual in
          convolve1x1(layer, weights, input: input.baseAddress!, residual: residual.baseAddress!, output: output)
        }
      }
    }
  }

  func depthwise3x3() throws -> Bool {
    let layer = layer(.depthwise3x3, inputs: 24, outputs: 24, size: 18)
    let weights = weights(layer)
    let input = activations(layer, layer.inputs, seed: 4)
    return try isRight(layer) { output in
      try Depthwise3x3Kernel(device: device, tuning: tuning).enqueue(
        layer, DeviceLayerWeights(weights, device: device), pictures: 1, input: device.makeBuffer(copying: input),
        output: output)
    } definition: { output in
      input.withUnsafeBufferPointer {
        convolveDepthwise3x3(layer, weights, input: $0.baseAddress!, output: output)
      }
    }
  }

  func pool() throws -> Bool {
    let layer = layer(.convolution1x1, inputs: 48, outputs: 48, size: 4)
    let input = activations(layer, layer.inputs, seed: 7)
    let output = try device.makeBuffer(of: Float.self, count: layer.outputs)
    try PoolKernel(device: device, tuning: tuning).enqueue(
      pictures: 0..<1, pixels: layer.outputPixels, channels: layer.outputs, input: device.makeBuffer(copying: input),
      output: output)
    var expected = [Float](repeating: 0, count: layer.outputs)
    expected.withUnsafeMutableBufferPointer { expected in
      input.withUnsafeBufferPointer {
        averagePool(
          $0.baseAddress!, pixels: layer.outputPixels, channels: layer.outputs, output: expected.baseAddress!)
      }
    }
    return isNear(try output.read(Float.self, count: layer.outputs), expected)
  }

  // MARK: - Parts

  private func isRight(
    _ layer: NetworkLayer, enqueue: (Buffer) throws -> Void, definition: (UnsafeMutablePointer<Vector>) -> Void
  ) throws -> Bool {
    let count = layer.outputPixels * layer.paddedOutputs
    let output = try device.makeBuffer(of: Float.self, count: count)
    try enqueue(output)
    var expected = [Vector](repeating: Vector(), count: count / NetworkLayer.lanes)
    expected.withUnsafeMutableBufferPointer { definition($0.baseAddress!) }
    return isNear(
      try output.read(Float.self, count: count), expected.flatMap { vector in vector.indices.map { vector[$0] } })
  }

  private func layer(
    _ operation: NetworkLayer.Operation, inputs: Int, outputs: Int, size: Int, stride: Int = 1
  ) -> NetworkLayer {
    NetworkLayer(
      name: "self-test", operation: operation, inputs: inputs, outputs: outputs, inputSize: size, stride: stride,
      paddingBefore: 1, isClamped: operation != .convolution1x1, inputBuffer: 0, outputBuffer: 1, residualBuffer: nil)
  }

  private func weights(_ layer: NetworkLayer) -> LayerWeights {
    var random = SelfTestNumbers(seed: 8)
    return LayerWeights(
      layer: layer, matrix: (0..<layer.taps * layer.outputs).map { _ in random.float() },
      bias: (0..<layer.outputs).map { _ in random.float() })
  }

  /// [outputPixels, padded channels], with zeros in the channels that pad.
  private func activations(_ layer: NetworkLayer, _ channels: Int, seed: UInt64) -> [Vector] {
    var random = SelfTestNumbers(seed: seed)
    return (0..<layer.inputSize * layer.inputSize).flatMap { _ in
      (0..<padded(channels) / NetworkLayer.lanes).map { tile in
        var vector = Vector()
        for lane in 0..<min(NetworkLayer.lanes, channels - tile * NetworkLayer.lanes) { vector[lane] = random.float() }
        return vector
      }
    }
  }
}

/// Numbers that look like nothing, the same in each run.
struct SelfTestNumbers {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: generator.next() >> 32) }
  /// -1..<1
  mutating func float() -> Float { Float(Int64(bitPattern: generator.next()) >> 40) * 0x1p-23 }
}
