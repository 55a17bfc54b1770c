import Compute
import Dispatch
import TestSupport
import Testing

@testable import Features

@Suite(
  .enabled(if: OpenCLDevice.exists, "no OpenCL device"),
  .disabled(if: OpenCLDevice.isInterpreter, "the whole network takes too long in an interpreter"), .deviceThread)
struct OpenCLFeatureExtractorTests {
  private let device = OpenCLDevice.shared!

  @Test(arguments: Reference.networks)
  func activationsAndDescriptorsAreTheReference(_ reference: Reference) throws {
    let extractor = try OpenCLFeatureExtractor(model: reference.model, device: device, batchSize: 3)
    #expect(relativeError(try extractor.descriptors(of: reference.pictures), reference.descriptors) < 1e-4)
    let first = Array(reference.pictures[..<extractor.pictureByteCount])
    for (name, expected) in reference.activations {
      let found = try first.withUnsafeBufferPointer { try extractor.activations($0, after: name) }
      #expect(relativeError(found, expected) < 1e-4, "\(name)")
    }
  }

  /// The picture whose activations were recorded, at the ends of a batch and in its middle, among others.
  @Test(.enabled(if: !Reference.recorded.isEmpty, Reference.absent), arguments: Reference.recorded, [1, 7, 32, 33])
  func activationsAreTheReferenceInAnyBatch(_ reference: Reference, count: Int) throws {
    let bytes = 128 * 128 * 3
    let recorded = Array(reference.pictures[..<bytes])
    let places = Set([0, count / 2, count - 1])
    let others = noise(count * bytes, seed: 21)
    let pictures = (0..<count).flatMap { picture in
      places.contains(picture) ? recorded : Array(others[picture * bytes..<(picture + 1) * bytes])
    }
    for tuning in [KernelTuning.untuned(for: device.description), .gpu] {
      let extractor = try OpenCLFeatureExtractor(
        model: reference.model, device: device, batchSize: 32, tuning: tuning)
      for (name, expected) in reference.activations {
        let found = try pictures.withUnsafeBufferPointer { try extractor.activations($0, after: name) }
        for place in places {
          let values = found[place * expected.count..<(place + 1) * expected.count]
          #expect(relativeError(values, expected) < 1e-4, "\(name), picture \(place)")
        }
      }
    }
  }

  @Test func bytesAreTheReference() throws {
    let reference = Reference.kiano
    let extractor = try OpenCLFeatureExtractor(device: device)
    expectSameCodes(try extractor.vectors(of: reference.network.pictures).content, reference.bytes)
  }

  @Test(arguments: [0, 1, 7, 32, 33])
  func anyNumberOfPicturesGivesWhatSwiftGives(count: Int) throws {
    let pictures = noise(count * 128 * 128 * 3, seed: 11)
    let plain = SwiftFeatureExtractor(threadCount: 2)
    let extractor = try OpenCLFeatureExtractor(device: device)
    let (found, expected) = (try extractor.vectors(of: pictures), try plain.vectors(of: pictures))
    #expect(found.count == count)
    #expect(found.appearance == expected.appearance)
    expectSameCodes(found.content, expected.content)
    guard count > 0 else { return }
    #expect(relativeError(try extractor.descriptors(of: pictures), try plain.descriptors(of: pictures)) < 1e-4)
    for some in [extractor, plain] as [any FeatureExtractor] {
      let both = try pictures.withUnsafeBufferPointer { try some.vectorsAndDescriptors($0) }
      let (vectors, descriptors) = (try some.vectors(of: pictures), try some.descriptors(of: pictures))
      #expect(both.vectors == vectors && both.descriptors == descriptors)
    }
  }

  @Test func callsFromSeveralThreadsTakeTurns() throws {
    let extractor = try OpenCLFeatureExtractor(device: device, batchSize: 2)
    let pictures = (0..<4).map { noise(3 * 128 * 128 * 3, seed: 30 + UInt64($0)) }
    let expected = try pictures.map { try extractor.vectors(of: $0) }
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      #expect((try? extractor.vectors(of: pictures[index % 4])) == expected[index % 4])
    }
  }

  @Test(arguments: KernelTuning.tested)
  func everyTuningGivesTheSame(_ tuning: KernelTuning) throws {
    let pictures = noise(5 * 128 * 128 * 3, seed: 12)
    let extractor = try OpenCLFeatureExtractor(model: .kiano, device: device, batchSize: 5, tuning: tuning)
    let expected = try SwiftFeatureExtractor(threadCount: 2).descriptors(of: pictures)
    #expect(relativeError(try extractor.descriptors(of: pictures), expected) < 1e-4)
  }

  @Test(arguments: OpenCLDevice.runsProcessorKernels ? [KernelTuning.wideCPU, .gpu] : [.gpu])
  func failureOfAnyAllocationLeavesASmallerBatch(_ tuning: KernelTuning) throws {
    let runtime = try OpenCLRuntime.shared.get()
    let pictures = noise(3 * 128 * 128 * 3, seed: 16)
    let expected = try OpenCLFeatureExtractor(model: .kiano, device: device, batchSize: 4, tuning: tuning)
      .vectors(of: pictures)
    var number = 1
    // Until there is no allocation of that number.
    while true {
      let injector = FaultInjector(FaultPlan([FaultPlan.Fault(.allocation, number)]))
      let failing = try runtime.makeDevice(device.description, injector: injector)
      let extractor = try OpenCLFeatureExtractor(model: .kiano, device: failing, batchSize: 4, tuning: tuning)
      #expect(try extractor.vectors(of: pictures) == expected, "allocation \(number)")
      if extractor.batchSize == 4 { break }
      #expect(extractor.batchSize == 2)
      number += 1
    }
    // Layer by layer each layer has weights and biases of its own.
    #expect(number > (tuning.takesWholePictures ? 12 : 100))
  }

  @Test(arguments: KernelTuning.tested)
  func halvesAreCloseToFloats(_ tuning: KernelTuning) throws {
    let pictures = noise(5 * 128 * 128 * 3, seed: 12)
    var halves = tuning
    halves.half = 1
    let extractor = try OpenCLFeatureExtractor(model: .kiano, device: device, batchSize: 5, tuning: halves)
    let floats = try OpenCLFeatureExtractor(model: .kiano, device: device, batchSize: 5, tuning: tuning)
    let error = relativeError(try extractor.descriptors(of: pictures), try floats.descriptors(of: pictures))
    // Neither floats under another name, nor nonsense.
    #expect((1e-6...1e-2).contains(error), "\(error)")
  }

  @Test func halvesAreUsedOnlyWhereBytesStayTheSame() throws {
    let storage = HalfStorage(model: .kiano, device: device)
    let floats = KernelTuning.untuned(for: device.description)
    var halves = floats
    halves.half = 1
    let parity = try storage.parity(of: halves, with: floats)
    #expect(parity.equal > 0.5 && parity.largest < 8)
    #expect(try storage.parity(of: floats, with: floats) == HalfStorage.Parity(equal: 1, largest: 0))
    #expect(!HalfStorage.Parity(equal: 0.94, largest: 1).isEnough && !HalfStorage.Parity(equal: 1, largest: 2).isEnough)
    // Processors have no use for them.
    if device.description.kind == .cpu { #expect(storage.applied(to: floats) == floats) }
  }

  @Test func tenThousandPicturesGiveTheSameVectorsTwice() throws {
    let extractors = (try OpenCLFeatureExtractor(device: device), try OpenCLFeatureExtractor(device: device))
    let pictures = noise(500 * extractors.0.pictureByteCount, seed: 14)
    for turn in 0..<20 {
      let others = pictures.map { $0 ^ UInt8(turn) }
      #expect(try extractors.0.vectors(of: others) == extractors.1.vectors(of: others))
    }
  }

  @Test func otherWidthsAndSizesGiveWhatSwiftGives() throws {
    for (width, size, padding) in [(0.35, 96, NetworkDescription.Padding.tensorFlowSame), (1.0, 75, .symmetric)] {
      let description = NetworkDescription(widthMultiplier: width, inputSize: size, padding: padding, scaling: .signed)
      let model = ContentModel.random(description)
      let pictures = noise(2 * size * size * 3, seed: 13)
      let extractor = try OpenCLFeatureExtractor(model: model, device: device, batchSize: 2)
      let plain = SwiftFeatureExtractor(model: model, threadCount: 2)
      #expect(relativeError(try extractor.descriptors(of: pictures), try plain.descriptors(of: pictures)) < 1e-4)
      #expect(try extractor.vectors(of: pictures).appearance == plain.vectors(of: pictures).appearance)
    }
  }
}

extension FeatureExtractor {
  func vectors(of pictures: [UInt8]) throws -> FeatureVectors {
    try pictures.withUnsafeBufferPointer { try vectors($0) }
  }

  func descriptors(of pictures: [UInt8]) throws -> [Float] {
    try pictures.withUnsafeBufferPointer { try descriptors($0) }
  }
}

extension Reference {
  /// With a projection, which the descriptors don't depend on.
  fileprivate var model: ContentModel { ContentModel(weights: weights, projection: ContentModel.kiano.projection) }
}

extension ContentModel {
  fileprivate static func random(_ description: NetworkDescription) -> ContentModel {
    ContentModel(weights: .random(description), projection: .zero(inputCount: description.outputCount))
  }
}

extension Projection {
  fileprivate static func zero(inputCount: Int) -> Projection {
    func zeros(_ shape: [Int]) -> Tensor {
      Tensor(shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *)))
    }
    return try! Projection(
      NamedSource(tensors: ["mean": zeros([inputCount]), "components": zeros([64, inputCount])]),
      inputCount: inputCount)
  }
}
