import Compute

/// Finds the tile and group sizes of the network's kernels that are fastest on a device, by trying: one parameter after
/// the other, from the values of the device's kind on, as long as something gets better.
///
/// Only sizes that give the same descriptors are taken.
public struct NetworkTuner {
  /// What is told of each try.
  public struct Try: Sendable {
    /// The parameters that differ from the standard, in words.
    public let parameters: String
    /// Seconds for a batch.
    public let seconds: Double
    /// Whether it is the best so far.
    public let isBest: Bool
  }

  /// What came of it.
  public struct Outcome: Sendable {
    /// Seconds for a batch with the values of the device's kind.
    public let standardSeconds: Double
    /// With the ones that were found.
    public let seconds: Double
    /// Those, in words.
    public let parameters: String
    /// Whether later runs will use them.
    public let isKept: Bool
  }

  private let device: Device
  private let model = ContentModel.kiano
  private let count = 32
  private let measure: (@escaping () throws -> Void) throws -> Double

  /// - Parameter measure: the seconds that something takes, the first time not counted.
  public init(device: Device, measure: @escaping (@escaping () throws -> Void) throws -> Double) {
    self.device = device
    self.measure = measure
  }

  /// Tries, and keeps what is best.
  public func run(_ tried: (Try) -> Void) throws -> Outcome {
    let standard = KernelTuning.untuned(for: device.description)
    let pictures = (0..<count * 128 * 128 * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let expected = try descriptors(pictures, standard)
    let standardSeconds = try seconds(standard)
    var best = (tuning: standard, seconds: standardSeconds)
    tried(Try(parameters: standard.words, seconds: standardSeconds, isBest: true))
    var known: Set<String> = [standard.words]
    for parameter in Self.parameters(of: standard) {
      for value in parameter.values {
        var tuning = best.tuning
        tuning[keyPath: parameter.path] = value
        guard known.insert(tuning.words).inserted, tuning.isPossible else { continue }
        do {
          let took = try seconds(tuning)
          guard took < best.seconds * 0.98, try descriptors(pictures, tuning) == expected else { continue }
          best = (tuning, took)
          tried(Try(parameters: tuning.words, seconds: took, isBest: true))
        } catch is ComputeError {
          // A driver may refuse a size, or have no registers for it.
        }
      }
    }
    return Outcome(
      standardSeconds: standardSeconds, seconds: best.seconds, parameters: best.tuning.words,
      isKept: best.tuning.keep(for: device.description))
  }

  private func seconds(_ tuning: KernelTuning) throws -> Double {
    let batch = try DeviceBatch(model, device: device, tuning: tuning, capacity: count)
    return try measure {
      try batch.network.enqueue(count: count, input: batch.pictures, descriptors: batch.descriptors)
      try device.finish()
    }
  }

  private func descriptors(_ pictures: [UInt8], _ tuning: KernelTuning) throws -> [Float] {
    let extractor = try OpenCLFeatureExtractor(model: model, device: device, batchSize: count, tuning: tuning)
    return try pictures.withUnsafeBufferPointer { try extractor.descriptors($0) }
  }

  private static func parameters(
    of standard: KernelTuning
  ) -> [(path: WritableKeyPath<KernelTuning, Int>, values: [Int])] {
    if standard.takesWholePictures {
      return [(\.vectors, [1, 2]), (\.rows, [4, 6, 8, 12, 16]), (\.columns, [1, 2, 4, 8])]
    }
    return [
      (\.lanes, [4, 8]), (\.rows, [2, 4, 8]), (\.columns, [1, 2, 4]), (\.picturesPerPass, [16, 32]),
      (\.groupPixels, [8, 16, 32]), (\.groupRows, [2, 4, 8]), (\.groupColumns, [2, 4, 8]),
    ]
  }
}

extension KernelTuning {
  fileprivate var words: String {
    takesWholePictures
      ? "tiles of \(rows) pixels by \(16 * vectors) outputs, \(columns) columns"
      : "rows \(rows), lanes \(lanes), columns \(columns), groups \(groupX)x\(groupPixels) and "
        + "\(groupX)x\(groupColumns)x\(groupRows), \(picturesPerPass) pictures at once"
  }

  /// Whether groups are of a size that devices have.
  fileprivate var isPossible: Bool {
    groupX * groupPixels <= 256 && groupX * groupColumns * groupRows <= 256
  }
}
