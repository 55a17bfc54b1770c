import Compute
import Features
import Foundation
import Imaging
import Sorting

/// Measures how fast devices, and plain Swift, are at this program's work.
public struct BenchJob {
  /// What can be measured, in the order in which it is.
  public enum Stage: String, Sendable, CaseIterable {
    case decode, resize, network, layer, projection, appearance, filter, assignment, sort, search
  }

  /// Which devices: nil for all there are, and plain Swift.
  public var selection: DeviceSelection?
  /// What is measured.
  public var stages = Stage.allCases
  /// The network.
  public var model = ModelRequest()
  /// Whether less is measured, and for a shorter time.
  public var isQuick = false
  /// Threads of plain Swift and of the decoders.
  public var threads: Int
  /// Which version of the program measures.
  public var version: String
  /// What fails, in tests.
  public var faults: FaultPlan?

  /// A job for all devices.
  public init(threads: Int, version: String) {
    self.threads = threads
    self.version = version
  }

  /// Measures everything.
  /// - Throws: `EngineError` where a device that was asked for can't be used.
  public func run(probe: DriverProbe, cancellation: Cancellation, events: JobEvents) throws(EngineError) -> BenchReport
  {
    let network = try model.model(for: nil)
    var report = BenchReport(version: version, model: network.name, threads: threads, isQuick: isQuick)
    let targets = try BenchTarget.targets(selection, probe: probe, faults: faults, note: events.note)
    do {
      if stages.contains(.decode) || stages.contains(.resize) {
        let decoding = try DecodingOperations(threads: threads, isQuick: isQuick)
        defer { decoding.removeFiles() }
        report.host = try measure(decoding.operations(), peaks: [:], cancellation, events)
      }
      for target in targets {
        report.devices.append(try result(of: target, network, cancellation, events))
      }
    } catch {
      if cancellation.isRequested { throw .cancelled }
      throw EngineError(any: error)
    }
    return report
  }

  private func result(
    of target: BenchTarget, _ network: NetworkModel, _ cancellation: Cancellation, _ events: JobEvents
  ) throws -> BenchReport.DeviceResult {
    var result = BenchReport.DeviceResult(
      id: target.id, name: target.name(threads: threads), driver: target.driver, peaks: [:], measurements: [],
      problems: [])
    do {
      let peaks = try target.peaks(threads: threads, isQuick: isQuick)
      for peak in try measure(peaks, peaks: [:], cancellation, events) { result.peaks[peak.detail] = peak.perSecond }
      for makeOperations in target.operations(
        network.contentModelForDescriptors, threads: threads, isQuick: isQuick, stages: stages)
      {
        result.measurements += try measure(makeOperations(), peaks: result.peaks, cancellation, events)
      }
    } catch let error as ComputeError {
      // What has been measured of it, and the other devices, are still worth knowing.
      events.note("\(target.id): \(error)")
      result.problems.append("\(error)")
    }
    return result
  }

  /// Measures the operations that are wanted, each in several turns.
  private func measure(
    _ operations: [BenchmarkOperation], peaks: [String: Double], _ cancellation: Cancellation, _ events: JobEvents
  ) throws -> [SpeedMeasurement] {
    let wanted = operations.filter { operation in
      operation.stage == "peak" || stages.contains { $0.rawValue == operation.stage }
    }
    let samplers = try wanted.map { operation in
      if cancellation.isRequested { throw EngineError.cancelled }
      return try SpeedSampler(operation)
    }
    for turn in 0..<Self.turns {
      for (index, sampler) in samplers.enumerated() {
        if cancellation.isRequested { throw EngineError.cancelled }
        events.progress(
          JobProgress(
            stage: .measuring, done: turn * samplers.count + index, total: Self.turns * samplers.count, rate: 0))
        let seconds = sampler.operation.stage == "layer" ? 0.02 : 0.2
        try sampler.sample(seconds: isQuick ? seconds / 10 : seconds)
      }
    }
    return samplers.map { SpeedMeasurement($0, peaks: peaks) }
  }

  private static let turns = 5
}

/// Finds the parameters of the network's kernels that are fastest on some devices.
public struct TuneJob {
  /// Which devices: nil for all there are.
  public var selection: DeviceSelection?
  /// What fails, in tests.
  public var faults: FaultPlan?

  /// A job for all devices.
  public init() {}

  /// What came of a device.
  public struct Report: Sendable {
    /// Its id.
    public let device: String
    /// The parameters, and their speed.
    public let outcome: NetworkTuner.Outcome
  }

  /// Tries, and keeps what is best.
  /// - Throws: `EngineError` where a device that was asked for can't be used, or there is none.
  public func run(probe: DriverProbe, cancellation: Cancellation, events: JobEvents) throws(EngineError) -> [Report] {
    let targets = try BenchTarget.targets(selection, probe: probe, faults: faults, note: events.note)
    let devices = targets.compactMap(\.device)
    if devices.isEmpty {
      throw EngineError(
        .device, "there is no device to tune: plain Swift has no parameters ('kiano-gpu devices' tells why)")
    }
    do {
      return try devices.map { device in
        let tuner = NetworkTuner(device: device) { body in
          if cancellation.isRequested { throw EngineError.cancelled }
          let operation = BenchmarkOperation(stage: "network", unit: "batches", items: 1, run: body)
          let sampler = try SpeedSampler(operation)
          try sampler.sample(seconds: 0.15)
          return SpeedMeasurement(sampler, peaks: [:]).milliseconds / 1000
        }
        let outcome = try tuner.run { events.note(String(format: "%.2f ms  %@", $0.seconds * 1000, $0.parameters)) }
        return Report(device: device.description.id, outcome: outcome)
      }
    } catch {
      if cancellation.isRequested { throw .cancelled }
      throw EngineError(any: error)
    }
  }
}
