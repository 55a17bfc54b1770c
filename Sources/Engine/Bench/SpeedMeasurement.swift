import Compute
import Foundation

/// How fast something was.
public struct SpeedMeasurement: Codable, Sendable, Equatable {
  /// What it is part of: `network`, `filter`, `sort`.
  public let stage: String
  /// Which of them: a layer, a size; empty where there is only one.
  public let detail: String
  /// What is counted.
  public let unit: String
  /// How many of them a second, by the median.
  public let perSecond: Double
  /// The median of one run, in milliseconds.
  public let milliseconds: Double
  /// The ninth decile less the first, as a share of the median.
  public let spread: Double
  /// The first run, in milliseconds: drivers compile then.
  public let warmUpMilliseconds: Double
  /// Runs, or groups of short ones, that were timed.
  public let samples: Int
  /// Multiplications and additions a second, where they are counted.
  public let operationsPerSecond: Double?
  /// The highest share of what the device can do at best; nil where nothing is counted.
  public let shareOfPeak: Double?
  /// What that is a share of: `memory`, `float` or `integer`.
  public let peak: String?

  /// - Parameter peaks: what the device can do at best, by name.
  init(_ sampler: SpeedSampler, peaks: [String: Double]) {
    let (operation, samples) = (sampler.operation, sampler.samples.sorted())
    let median = samples[samples.count / 2]
    let decile = (samples.count - 1) / 10
    let rates = [
      "float": operation.floatOperations / median, "integer": operation.integerOperations / median,
      "memory": operation.bytes / median,
    ]
    let shares = rates.compactMap { name, rate in peaks[name].map { (name: name, share: rate / $0) } }
      .filter { $0.share > 0 }
    let best = shares.max { $0.share < $1.share }
    let operations = operation.floatOperations + operation.integerOperations
    (stage, detail, unit) = (operation.stage, operation.detail, operation.unit)
    perSecond = Double(operation.items) / median
    milliseconds = median * 1000
    spread = (samples[samples.count - 1 - decile] - samples[decile]) / median
    warmUpMilliseconds = sampler.warmUpSeconds * 1000
    self.samples = samples.count
    operationsPerSecond = operations > 0 ? operations / median : nil
    (shareOfPeak, peak) = (best?.share, best?.name)
  }
}

/// Times runs of an operation, in as many turns as wanted: what else the machine does may last longer than one of them.
final class SpeedSampler {
  let operation: BenchmarkOperation
  /// The first run.
  let warmUpSeconds: Double
  /// One run each, or the mean of a group of short ones.
  private(set) var samples: [Double] = []
  private let repeats: Int

  init(_ operation: BenchmarkOperation) throws {
    self.operation = operation
    warmUpSeconds = try Self.time(operation, repeats: 1)
    let second = try Self.time(operation, repeats: 1)
    // So long that the clock and the wait for the device hardly count.
    repeats = operation.isRepeatable ? Int(min(max(0.004 / max(second, 1e-9), 1), 1000)) : 1
  }

  /// Adds samples for so many seconds; one at least.
  func sample(seconds: Double) throws {
    var total = 0.0
    repeat {
      let took = try Self.time(operation, repeats: repeats)
      samples.append(took / Double(repeats))
      total += took
    } while total < seconds
  }

  private static func time(_ operation: BenchmarkOperation, repeats: Int) throws -> Double {
    let start = ContinuousClock.now
    for _ in 0..<repeats { try operation.run() }
    try operation.finish()
    return (ContinuousClock.now - start).inSeconds
  }
}
