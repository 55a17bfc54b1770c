import Compute

/// Finds the tile and group sizes of the network's kernels that are fastest on a device, by trying: one parameter after
/// the other, from the values of the device's kind on, as long as something gets better.
///
/// Only sizes that give the same descriptors are taken, and only such as are faster than the best so far, and than the
/// values of the device's kind, when both are measured in turn: a single measurement says little on a machine that does
/// other things too.
public struct NetworkTuner {
  /// What is told whenever something better was found.
  public struct Improvement: Sendable {
    /// The parameters, in words.
    public let parameters: String
    /// Seconds for a batch.
    public let seconds: Double
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

  /// How often two rivals are measured in turn.
  private static let turns = 5

  /// - Parameter measure: the seconds that something takes, the first time not counted.
  public init(device: Device, measure: @escaping (@escaping () throws -> Void) throws -> Double) {
    self.device = device
    self.measure = measure
  }

  /// Tries, and keeps what is best; where that is the values of the device's kind, what was kept before is forgotten.
  public func run(_ found: (Improvement) -> Void) throws -> Outcome {
    let untuned = KernelTuning.untuned(for: device.description)
    let standard = HalfStorage(model: model, device: device).applied(to: untuned)
    let pictures = (0..<count * 128 * 128 * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let expected = try descriptors(pictures, standard)
    var best = (tuning: standard, seconds: try measure(run(of: standard)))
    found(Improvement(parameters: standard.words, seconds: best.seconds))
    var known: Set<String> = [standard.words]
    var isBetter = true
    while isBetter {
      isBetter = false
      for tuning in Self.neighbours(of: best.tuning, standard) where known.insert(tuning.words).inserted {
        do {
          guard try measure(run(of: tuning)) < best.seconds,
            case let times = try contest(tuning, against: best.tuning), times.isGain,
            try descriptors(pictures, tuning) == expected
          else { continue }
          best = (tuning, times.seconds)
          found(Improvement(parameters: tuning.words, seconds: times.seconds))
          isBetter = true
          // The others are tried beside the new best one.
          break
        } catch let error as ComputeError where error.isOfKernel {
          // A driver may refuse a size, or have no registers for it.
        }
      }
    }
    let times = best.tuning == standard ? Times(seconds: best.seconds) : try contest(best.tuning, against: standard)
    guard times.isGain else {
      KernelTuning.forget(for: device.description)
      return Outcome(
        standardSeconds: times.rivalSeconds, seconds: times.rivalSeconds, parameters: standard.words, isKept: true)
    }
    var kept = best.tuning
    // Whether halves may be used is found out anew by each run.
    kept.half = untuned.half
    return Outcome(
      standardSeconds: times.rivalSeconds, seconds: times.seconds, parameters: kept.words,
      isKept: kept.keep(for: device.description))
  }

  /// What two rivals take.
  private struct Times {
    let seconds: Double
    let rivalSeconds: Double

    /// Whether the first one is clearly the faster: as much as this is noise.
    var isGain: Bool { seconds < rivalSeconds * 0.97 }

    init(seconds: Double, rivalSeconds: Double? = nil) {
      (self.seconds, self.rivalSeconds) = (seconds, rivalSeconds ?? seconds)
    }
  }

  /// The medians of both, measured in turn.
  private func contest(_ tuning: KernelTuning, against rival: KernelTuning) throws -> Times {
    let runs = (try run(of: tuning), try run(of: rival))
    let turns = try (0..<Self.turns).map { _ in (try measure(runs.0), try measure(runs.1)) }
    func median(_ times: [Double]) -> Double { times.sorted()[Self.turns / 2] }
    return Times(seconds: median(turns.map(\.0)), rivalSeconds: median(turns.map(\.1)))
  }

  /// Runs the network once with a tuning, and waits.
  private func run(of tuning: KernelTuning) throws -> () throws -> Void {
    let batch = try DeviceBatch(model, device: device, tuning: tuning, capacity: count)
    return { [device, count] in
      try batch.network.enqueue(count: count, input: batch.pictures, descriptors: batch.descriptors)
      try device.finish()
    }
  }

  private func descriptors(_ pictures: [UInt8], _ tuning: KernelTuning) throws -> [Float] {
    let extractor = try OpenCLFeatureExtractor(model: model, device: device, batchSize: count, tuning: tuning)
    return try pictures.withUnsafeBufferPointer { try extractor.descriptors($0) }
  }

  /// Tunings that differ from `tuning` in one parameter.
  private static func neighbours(of tuning: KernelTuning, _ standard: KernelTuning) -> [KernelTuning] {
    parameters(of: standard).flatMap { parameter in
      parameter.values.map { value in
        var other = tuning
        other[keyPath: parameter.path] = value
        return other
      }
    }.filter(\.isPossible)
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
