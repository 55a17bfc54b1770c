import Compute
import Features

/// Computes the vectors of pictures on one device after the other, as they fail, and in plain Swift in the end.
struct Extraction {
  private let model: ContentModel
  private let compute: ComputeChoice
  private var task = ComputeTask.vectors
  /// Made for a device and a reduction; nil for plain Swift's.
  private var current: (device: Device?, reduction: Int, extractor: any FeatureExtractor)?

  init(model: ContentModel, compute: ComputeChoice) {
    self.model = model
    self.compute = compute
  }

  /// Bytes of one picture.
  var pictureByteCount: Int { model.description.inputSize * model.description.inputSize * 3 }

  /// The vectors of pictures, one after the other in `inputs`.
  mutating func vectors(_ inputs: [UInt8], note: (String) -> Void) throws -> FeatureVectors {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    return try anywhere(note: note, Self.vectors(inputs))
  }

  /// The network's descriptors of pictures, one after the other in `inputs`.
  mutating func descriptors(_ inputs: [UInt8], note: (String) -> Void) throws -> [Float] {
    if inputs.isEmpty { return [] }
    return try anywhere(note: note) { extractor in
      try inputs.withUnsafeBufferPointer { try extractor.descriptors($0) }
    }
  }

  /// Vectors and descriptors of pictures, one after the other in `inputs`.
  mutating func vectorsAndDescriptors(
    _ inputs: [UInt8], note: (String) -> Void
  ) throws -> (vectors: FeatureVectors, descriptors: [Float]) {
    if inputs.isEmpty { return (FeatureVectors(content: [], appearance: []), []) }
    return try anywhere(note: note) { extractor in
      try inputs.withUnsafeBufferPointer { try extractor.vectorsAndDescriptors($0) }
    }
  }

  /// The vectors of pictures on the device of a slot.
  /// - Returns: nil where the slot is closed.
  mutating func vectors(_ inputs: [UInt8], slot: Int, note: (String) -> Void) throws -> FeatureVectors? {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    return try onDevice(slot: slot, note: note, Self.vectors(inputs))
  }

  /// The vectors of pictures in plain Swift.
  mutating func plainVectors(_ inputs: [UInt8]) throws -> FeatureVectors {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    return try inPlainSwift(Self.vectors(inputs))
  }

  private static func vectors(_ inputs: [UInt8]) -> (any FeatureExtractor) throws -> FeatureVectors {
    { extractor in try inputs.withUnsafeBufferPointer { try extractor.vectors($0) } }
  }

  private mutating func anywhere<Result>(
    note: (String) -> Void, _ body: (any FeatureExtractor) throws -> Result
  ) throws -> Result {
    while let slot = compute.devices?.firstSlot {
      if let result = try onDevice(slot: slot, note: note, body) { return result }
    }
    return try inPlainSwift(body)
  }

  private mutating func onDevice<Result>(
    slot: Int, note: (String) -> Void, _ body: (any FeatureExtractor) throws -> Result
  ) throws -> Result? {
    var (task, current) = (self.task, self.current)
    defer { (self.task, self.current) = (task, current) }
    return try compute.run(&task, slot: slot, note: note) { [model, name = task.name] device, reduction in
      if current?.device !== device || current?.reduction != reduction {
        // The old one's memory first.
        current = nil
        let wanted = max(1, 32 >> reduction)
        let extractor = try OpenCLFeatureExtractor(model: model, device: device, batchSize: wanted)
        if extractor.batchSize < wanted {
          note("\(name) goes on with \(extractor.batchSize) at a time: \(device.description.name) has little memory")
        }
        current = (device, reduction, extractor)
      }
      return try body(current!.extractor)
    }
  }

  private mutating func inPlainSwift<Result>(_ body: (any FeatureExtractor) throws -> Result) throws -> Result {
    try compute.devices?.checkPlainSwift()
    if current == nil || current!.device != nil {
      current = (nil, 0, SwiftFeatureExtractor(model: model, threadCount: compute.threads))
    }
    return try body(current!.extractor)
  }
}
