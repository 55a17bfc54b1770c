import Compute
import TestSupport
import Testing

@testable import Features

extension KernelTuning: CustomTestStringConvertible {
  /// Rows by lanes.
  public var testDescription: String {
    takesWholePictures ? "whole pictures, \(rows)x\(16 * vectors)" : "layers, \(rows)x\(lanes)"
  }
  /// Every kind's values, whatever the device, so that every variant is tested everywhere; and some between them.
  static let tested = (OpenCLDevice.runsProcessorKernels ? testedWhole : []) + testedLayered
  static let testedWhole = [
    wideCPU, cpu, changed(wideCPU) { ($0.rows, $0.columns) = (3, 1) }, changed(cpu) { ($0.rows, $0.columns) = (16, 3) },
  ]
  static let testedLayered = [
    changed(wideCPU) { $0.whole = 0 }, gpu,
    KernelTuning(
      whole: 0, rows: 4, lanes: 8, columns: 2, groupX: 2, groupPixels: 8, groupColumns: 2, groupRows: 2, group: 16,
      picturesPerPass: 4),
  ]

  private static func changed(_ tuning: KernelTuning, _ body: (inout KernelTuning) -> Void) -> KernelTuning {
    var tuning = tuning
    body(&tuning)
    return tuning
  }
}

/// Each kernel of the network against its Swift definition, on shapes that aren't multiples of a tile.
@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct NetworkKernelTests {
  private let device = OpenCLDevice.shared!
  private let pictures = 2

  @Test(arguments: KernelTuning.testedLayered, [(5, 24, 3), (16, 16, 1), (40, 33, 4)])
  func convolution1x1(_ tuning: KernelTuning, shape: (inputs: Int, outputs: Int, size: Int)) throws {
    for (isClamped, hasResidual) in [(true, false), (false, true)] {
      let layer = layer(
        .convolution1x1, inputs: shape.inputs, outputs: shape.outputs, size: shape.size, isClamped: isClamped)
      let weights = randomWeights(layer)
      let input = randomActivations(pixels: layer.outputPixels, channels: shape.inputs, seed: 3)
      let residual = randomActivations(pixels: layer.outputPixels, channels: shape.outputs, seed: 4)
      let output = try emptyOutput(layer)
      try Convolution1x1Kernel(device: device, tuning: tuning).enqueue(
        layer, DeviceLayerWeights(weights, device: device), pictures: pictures,
        input: device.makeBuffer(copying: input), residual: hasResidual ? device.makeBuffer(copying: residual) : nil,
        output: output)
      try expect(output, layer) { picture, expected in
        let (first, count) = (input.count / pictures * picture, residual.count / pictures * picture)
        convolve1x1(
          layer, weights, input: input.span(first), residual: hasResidual ? residual.span(count) : nil,
          output: expected)
      }
    }
  }

  @Test(
    arguments: KernelTuning.testedLayered,
    [(24, 5, 1, 1), (16, 4, 2, 0), (16, 5, 2, 1), (33, 1, 1, 1), (8, 18, 2, 1)])
  func depthwise3x3(
    _ tuning: KernelTuning, shape: (channels: Int, size: Int, stride: Int, paddingBefore: Int)
  ) throws {
    let layer = layer(
      .depthwise3x3, inputs: shape.channels, outputs: shape.channels, size: shape.size, stride: shape.stride,
      paddingBefore: shape.paddingBefore)
    let weights = randomWeights(layer)
    let input = randomActivations(pixels: shape.size * shape.size, channels: shape.channels, seed: 5)
    let output = try emptyOutput(layer)
    try Depthwise3x3Kernel(device: device, tuning: tuning).enqueue(
      layer, DeviceLayerWeights(weights, device: device), pictures: pictures,
      input: device.makeBuffer(copying: input), output: output)
    try expect(output, layer) { picture, expected in
      convolveDepthwise3x3(layer, weights, input: input.span(input.count / pictures * picture), output: expected)
    }
  }

  @Test(arguments: KernelTuning.testedLayered, [(9, 1), (8, 0), (8, 1)])
  func stem(_ tuning: KernelTuning, shape: (size: Int, paddingBefore: Int)) throws {
    let layer = layer(
      .convolution3x3, inputs: 3, outputs: 24, size: shape.size, stride: 2, paddingBefore: shape.paddingBefore)
    let weights = randomWeights(layer)
    let scaling = NetworkDescription.InputScaling.imageNet
    let pictureBytes = shape.size * shape.size * 3
    let input = noise((1 + pictures) * pictureBytes, seed: 6)
    let output = try emptyOutput(layer)
    try StemKernel(device: device, tuning: tuning, scaling: scaling).enqueue(
      layer, DeviceLayerWeights(weights, device: device), pictures: 1..<1 + pictures,
      input: device.makeBuffer(copying: input), output: output)
    try expect(output, layer) { picture, expected in
      convolveStem(
        layer, weights, picture: input.span((1 + picture) * pictureBytes), scaled: scaling.table, output: expected)
    }
  }

  @Test(arguments: KernelTuning.testedLayered)
  func pool(_ tuning: KernelTuning) throws {
    let (pixels, channels) = (9, 48)
    let input = randomActivations(pixels: pixels, channels: channels, seed: 7)
    let output = try device.makeBuffer(of: Float.self, count: (1 + pictures) * channels)
    try PoolKernel(device: device, tuning: tuning).enqueue(
      pictures: 1..<1 + pictures, pixels: pixels, channels: channels, input: device.makeBuffer(copying: input),
      output: output)
    try device.finish()
    var expected = [Float](repeating: 0, count: pictures * channels)
    for picture in 0..<pictures {
      expected.withUnsafeMutableBufferPointer {
        averagePool(
          input.span(input.count / pictures * picture), pixels: pixels, channels: channels,
          output: $0.baseAddress! + picture * channels)
      }
    }
    #expect(relativeError(try read(output, from: channels, count: pictures * channels), expected) < 1e-6)
  }

  @Test(.disabled(if: OpenCLDevice.isInterpreter, "the others run the same kernels"), arguments: KernelTuning.tested)
  func selfTestsPass(_ tuning: KernelTuning) throws {
    for test in SelfTestSuite.features(tuning: tuning).tests {
      #expect(try test.isRight(device), "\(test.source.name)")
    }
  }

  @Test(.disabled(if: OpenCLDevice.isInterpreter, "faults aren't for it"), arguments: KernelTuning.tested)
  func selfTestsNoticeWrongKernels(_ tuning: KernelTuning) throws {
    let runtime = try OpenCLRuntime.shared.get()
    for test in SelfTestSuite.features(tuning: tuning).tests {
      let injector = FaultInjector(FaultPlan([FaultPlan.Fault(.wrong, 1, isLasting: true)]))
      let failing = try runtime.makeDevice(device.description, injector: injector, isForSelfTest: true)
      #expect(try !test.isRight(failing), "\(test.source.name)")
    }
  }

  // MARK: - Parts

  private func layer(
    _ operation: NetworkLayer.Operation, inputs: Int, outputs: Int, size: Int, stride: Int = 1, paddingBefore: Int = 1,
    isClamped: Bool = true
  ) -> NetworkLayer {
    NetworkLayer(
      name: "test", operation: operation, inputs: inputs, outputs: outputs, inputSize: size, stride: stride,
      paddingBefore: paddingBefore, isClamped: isClamped, inputBuffer: 0, outputBuffer: 1, residualBuffer: nil)
  }

  private func randomWeights(_ layer: NetworkLayer) -> LayerWeights {
    LayerWeights(
      layer: layer, matrix: randomFloats(layer.taps * layer.outputs, seed: 1),
      bias: randomFloats(layer.outputs, seed: 2))
  }

  /// For all pictures, with zeros in the channels that pad.
  private func randomActivations(pixels: Int, channels: Int, seed: UInt64) -> [Vector] {
    let values = randomFloats(pictures * pixels * channels, seed: seed)
    return (0..<pictures * pixels).flatMap { pixel in
      (0..<padded(channels) / 16).map { tile in
        var vector = Vector()
        for lane in 0..<min(16, channels - tile * 16) { vector[lane] = values[pixel * channels + tile * 16 + lane] }
        return vector
      }
    }
  }

  private func emptyOutput(_ layer: NetworkLayer) throws -> Buffer {
    try device.makeBuffer(of: Float.self, count: pictures * layer.outputPixels * layer.paddedOutputs)
  }

  private func read(_ buffer: Buffer, from first: Int, count: Int) throws -> [Float] {
    Array(try buffer.read(Float.self, count: first + count).dropFirst(first))
  }

  /// Compares with what `define` computes for each picture.
  private func expect(
    _ output: Buffer, _ layer: NetworkLayer, sourceLocation: SourceLocation = #_sourceLocation,
    define: (Int, UnsafeMutablePointer<Vector>) -> Void
  ) throws {
    let count = layer.outputPixels * layer.paddedOutputs
    let found = try read(output, from: 0, count: pictures * count)
    for picture in 0..<pictures {
      var expected = [Vector](repeating: Vector(), count: count / 16)
      expected.withUnsafeMutableBufferPointer { define(picture, $0.baseAddress!) }
      let values = expected.flatMap { vector in (0..<16).map { vector[$0] } }
      #expect(
        relativeError(found[picture * count..<(picture + 1) * count], values) < 1e-5, sourceLocation: sourceLocation)
    }
  }
}

extension Array {
  /// A copy of the elements from `first` on that lives as long as the process: tests leak it.
  fileprivate func span(_ first: Int) -> UnsafePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: count - first)
    for index in first..<count { (copy + index - first).initialize(to: self[index]) }
    return UnsafePointer(copy)
  }
}
