import Compute
import TestSupport
import Testing

@testable import Features

/// Small networks, picture by picture, against their Swift definition.
@Suite(.enabled(if: OpenCLDevice.runsProcessorKernels, "no OpenCL device that is a processor"), .deviceThread)
struct WholeNetworkKernelTests {
  private let device = OpenCLDevice.shared!

  /// A tuning, and a size of pictures: those leave more or fewer pixels than a tile has, and odd ones.
  struct Case: Sendable, CustomTestStringConvertible {
    let tuning: KernelTuning
    let size: Int
    let padding: NetworkDescription.Padding

    var testDescription: String { "\(tuning.testDescription), \(size) pixels, \(padding)" }

    static let all = KernelTuning.testedWhole.flatMap { tuning in
      [Case(tuning: tuning, size: 32, padding: .symmetric), Case(tuning: tuning, size: 45, padding: .tensorFlowSame)]
    }
    /// Few for an interpreter, which takes long for each.
    static let tested = OpenCLDevice.isInterpreter ? [all[0], all[all.count - 1]] : all
  }

  @Test(arguments: Case.tested)
  func descriptorsAreThoseOfSwift(_ shape: Case) throws {
    // One picture of one network is much for an interpreter.
    let count = OpenCLDevice.isInterpreter ? 1 : 5
    let description = NetworkDescription(
      widthMultiplier: 0.35, inputSize: shape.size, padding: shape.padding, scaling: .imageNet)
    let weights = NetworkWeights.random(description)
    let pictures = noise(count * shape.size * shape.size * 3, seed: 17)
    let stride = padded(description.outputCount)
    let descriptors = try device.makeBuffer(of: Float.self, count: count * stride)
    let input = try device.makeBuffer(copying: pictures)
    let network = try WholeNetwork(weights, device: device, tuning: shape.tuning, capacity: count)
    let (plain, workspace) = (PlainNetwork(weights), Workspace(description))
    // Twice: what the first run leaves behind doesn't matter to the next.
    for turn in 0..<(OpenCLDevice.isInterpreter ? 1 : 2) {
      try network.enqueue(count: count, input: input, descriptors: descriptors)
      let found = try descriptors.read(Float.self, count: count * stride)
      for picture in 0..<count {
        var expected = [Float](repeating: 0, count: description.outputCount)
        let first = picture * shape.size * shape.size * 3
        pictures.withUnsafeBufferPointer {
          plain.run($0.baseAddress! + first, in: workspace, descriptor: &expected)
        }
        let row = found[picture * stride..<picture * stride + expected.count]
        #expect(relativeError(row, expected) < 1e-5, "picture \(picture), turn \(turn)")
      }
    }
  }

  @Test(.disabled(if: OpenCLDevice.isInterpreter, "takes too long in an interpreter"))
  func anyLayerIsThatOfSwift() throws {
    let description = NetworkDescription(widthMultiplier: 0.5, inputSize: 64, padding: .symmetric, scaling: .signed)
    let weights = NetworkWeights.random(description)
    let pictures = noise(2 * 64 * 64 * 3, seed: 18)
    let input = try device.makeBuffer(copying: pictures)
    let network = try WholeNetwork(weights, device: device, tuning: .wideCPU, capacity: 2)
    var (expected, descriptor) = ([[Float]](), [Float](repeating: 0, count: description.outputCount))
    pictures.withUnsafeBufferPointer {
      PlainNetwork(weights).run(
        $0.baseAddress! + 64 * 64 * 3, in: Workspace(description), descriptor: &descriptor
      ) { layer, values in
        let vectors = UnsafeBufferPointer(start: values, count: layer.outputPixels * layer.paddedOutputs / 16)
        expected.append(vectors.flatMap { vector in (0..<16).map { vector[$0] } })
      }
    }
    for index in description.layers.indices {
      let found = try network.outputs(ofLayer: index, count: 2, input: input)
      #expect(
        relativeError(found[(found.count / 2)...], expected[index]) < 1e-5, "\(description.layers[index].name)")
    }
  }
}

extension NetworkWeights {
  /// Random weights of about the size that keeps activations from growing or vanishing.
  static func random(_ description: NetworkDescription) -> NetworkWeights {
    var seed: UInt64 = 20
    return NetworkWeights(description: description) { layer in
      seed += 2
      let scale = (6 / Float(layer.taps)).squareRoot()
      return (
        randomFloats(layer.taps * layer.outputs, seed: seed).map { $0 * scale },
        randomFloats(layer.outputs, seed: seed + 1).map { $0 / 4 }
      )
    }
  }
}
