import Testing

@testable import Features

struct PlainNetworkTests {
  @Test(.enabled(if: !Reference.recorded.isEmpty, Reference.absent), arguments: Reference.recorded)
  func activationsAreTheReference(_ reference: Reference) {
    let network = PlainNetwork(reference.weights)
    let workspace = Workspace(reference.weights.description)
    var descriptor = [Float](repeating: 0, count: 1280)
    var seen = 0
    network.run(reference.pictures, in: workspace, descriptor: &descriptor) { layer, output in
      guard let expected = reference.activations[layer.name] else { return }
      #expect(relativeError(unpadded(output, layer), expected) < 1e-4, "\(layer.name)")
      seen += 1
    }
    #expect(seen == reference.activations.count)
  }

  @Test(arguments: Reference.networks)
  func descriptorsAreTheReference(_ reference: Reference) {
    let network = PlainNetwork(reference.weights)
    let workspace = Workspace(reference.weights.description)
    for index in 0..<reference.count {
      var descriptor = [Float](repeating: 0, count: 1280)
      Array(reference.pictures.dropFirst(index * 128 * 128 * 3)).withUnsafeBufferPointer {
        network.run($0.baseAddress!, in: workspace, descriptor: &descriptor)
      }
      #expect(relativeError(descriptor, reference.descriptors[index * 1280..<(index + 1) * 1280]) < 1e-4)
    }
  }

  @Test func bytesAreTheReference() {
    let reference = Reference.kiano
    let extractor = SwiftFeatureExtractor(threadCount: 2)
    let vectors = reference.network.pictures.withUnsafeBufferPointer { extractor.vectors($0) }
    expectSameCodes(vectors.content, reference.bytes)
    for index in 0..<reference.network.count {
      let descriptor = Array(reference.network.descriptors[index * 1280..<(index + 1) * 1280])
      let unit = descriptor.withUnsafeBufferPointer { reference.projection.unitVector($0) }
      #expect(relativeError(unit, reference.unit[index * 64..<(index + 1) * 64]) < 1e-4)
    }
  }

  @Test func threadsDontChangeTheResult() {
    let pictures = noise(5 * 128 * 128 * 3, seed: 1)
    pictures.withUnsafeBufferPointer { pictures in
      let one = SwiftFeatureExtractor(threadCount: 1).vectors(pictures)
      #expect(one.count == 5)
      #expect(SwiftFeatureExtractor(threadCount: 3).vectors(pictures) == one)
      #expect(SwiftFeatureExtractor(threadCount: 9).vectors(pictures) == one)
    }
  }

  @Test func noPicturesGiveNoVectors() {
    let extractor = SwiftFeatureExtractor(threadCount: 2)
    #expect(extractor.vectors(UnsafeBufferPointer(start: nil, count: 0)).count == 0)
  }

  @Test func zeroDescriptorGivesTheMiddle() {
    let projection = try! Projection(
      NamedSource(tensors: [
        "mean": Tensor(shape: [2], values: [0, 0]),
        "components": Tensor(shape: [64, 2], values: [Float](repeating: 1, count: 128)),
      ]), inputCount: 2)
    let bytes = [Float](repeating: 0, count: 2).withUnsafeBufferPointer { projection.bytes($0) }
    #expect(bytes == [UInt8](repeating: 128, count: 64))
    for value in [Float.infinity, .nan] {
      let bytes = [value, 1].withUnsafeBufferPointer { projection.bytes($0) }
      #expect(bytes == [UInt8](repeating: 128, count: 64))
    }
  }
}

/// A layer's output without the channels that pad it.
func unpadded(_ output: UnsafePointer<Vector>, _ layer: NetworkLayer) -> [Float] {
  let values = UnsafeRawPointer(output).assumingMemoryBound(to: Float.self)
  return (0..<layer.outputPixels).flatMap { pixel in
    (0..<layer.outputs).map { values[pixel * layer.paddedOutputs + $0] }
  }
}

/// At least 95 % of the bytes equal, none off by more than 1.
func expectSameCodes(_ codes: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(codes.count == expected.count, sourceLocation: sourceLocation)
  let differences = zip(codes, expected).map { abs(Int($0) - Int($1)) }
  #expect((differences.max() ?? 0) <= 1, sourceLocation: sourceLocation)
  let equal = differences.count { $0 == 0 }
  #expect(Double(equal) >= 0.95 * Double(differences.count), sourceLocation: sourceLocation)
}
