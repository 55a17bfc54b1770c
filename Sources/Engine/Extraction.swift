import Compute
import Features

/// Computes the vectors of pictures on one device after the other, as they fail, and in plain Swift in the end.
struct Extraction {
  private let compute: ComputeChoice
  private var task = ComputeTask.vectors
  /// Made for a device and a reduction; nil for plain Swift's.
  private var current: (device: Device?, reduction: Int, extractor: any FeatureExtractor)?

  init(compute: ComputeChoice) {
    self.compute = compute
  }

  /// The vectors of pictures, one after the other in `inputs`.
  mutating func vectors(_ inputs: [UInt8], note: (String) -> Void) throws -> FeatureVectors {
    while let slot = compute.devices?.firstSlot {
      if let vectors = try vectors(inputs, slot: slot, note: note) { return vectors }
    }
    return try plainVectors(inputs)
  }

  /// The same on the device of a slot.
  /// - Returns: nil where the slot is closed.
  mutating func vectors(_ inputs: [UInt8], slot: Int, note: (String) -> Void) throws -> FeatureVectors? {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    var (task, current) = (self.task, self.current)
    defer { (self.task, self.current) = (task, current) }
    return try compute.run(&task, slot: slot, note: note) { [name = task.name] device, reduction in
      if current?.device !== device || current?.reduction != reduction {
        // The old one's memory first.
        current = nil
        let wanted = max(1, 32 >> reduction)
        let extractor = try OpenCLFeatureExtractor(device: device, batchSize: wanted)
        if extractor.batchSize < wanted {
          note("\(name) goes on with \(extractor.batchSize) at a time: \(device.description.name) has little memory")
        }
        current = (device, reduction, extractor)
      }
      return try inputs.withUnsafeBufferPointer { try current!.extractor.vectors($0) }
    }
  }

  /// The same in plain Swift.
  mutating func plainVectors(_ inputs: [UInt8]) throws -> FeatureVectors {
    if inputs.isEmpty { return FeatureVectors(content: [], appearance: []) }
    if current == nil || current!.device != nil {
      current = (nil, 0, SwiftFeatureExtractor(threadCount: compute.threads))
    }
    return try inputs.withUnsafeBufferPointer { try current!.extractor.vectors($0) }
  }
}
