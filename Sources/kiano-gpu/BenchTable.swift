import Engine
import Foundation
import Imaging

/// Figures of `bench` for people.
struct BenchTable {
  let report: BenchReport
  /// Whether each layer of the network has a line.
  let showsLayers: Bool
  /// Whether each line tells how it was measured.
  let showsRuns: Bool

  /// The table.
  var lines: [String] {
    var lines = ["\(report.processor), \(report.threads) \(plural(report.threads, "thread"))"]
    if !report.host.isEmpty { lines += [Self.head] + report.host.map(line) }
    for device in report.devices {
      lines += ["", "\(device.id)  \(device.name)"]
      let peaks = [("memory", "B/s read"), ("float", "FLOP/s"), ("integer", "integer operations/s")].compactMap {
        name, unit in device.peaks[name].map { Self.rate($0) + unit }
      }
      if !peaks.isEmpty { lines.append("at best " + peaks.joined(separator: ", ")) }
      let shown = device.measurements.filter { showsLayers || $0.stage != "layer" }
      if !shown.isEmpty { lines += [Self.head] + shown.map(line) }
      lines += device.problems.map { "stopped: \($0)" }
    }
    return lines
  }

  private static let head = "stage                                      a second      median ms  spread  of peak"

  private func line(_ measurement: SpeedMeasurement) -> String {
    let name = (measurement.stage + " " + measurement.detail).padding(toLength: 34, withPad: " ", startingAt: 0)
    let rate = (String(repeating: " ", count: 8) + Self.rate(measurement.perSecond)).suffix(8)
    let unit = measurement.unit.padding(toLength: 9, withPad: " ", startingAt: 0)
    var line =
      name + rate + unit + String(format: "%11.3f  %5.0f%%", measurement.milliseconds, 100 * measurement.spread)
    if let share = measurement.shareOfPeak, let peak = measurement.peak {
      line += String(format: "  %4.0f%% %@", 100 * share, peak)
      if let operations = measurement.operationsPerSecond { line += ", \(Self.rate(operations))OP/s" }
    }
    if showsRuns {
      let items = Int((measurement.perSecond * measurement.milliseconds / 1000).rounded())
      line += String(
        format: "  (%d %@ a run, first run %.1f ms, %d timed)", items, measurement.unit,
        measurement.warmUpMilliseconds, measurement.samples)
    }
    return line
  }

  /// "1.23 G".
  private static func rate(_ value: Double) -> String {
    for (size, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] where value >= size {
      return String(format: "%.3g %@", value / size, letter)
    }
    return String(format: "%.3g ", value)
  }

  // MARK: - Comparing

  /// Reads what `--json` printed.
  static func read(_ path: BytePath) throws -> BenchReport {
    do {
      return try BenchReport(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: path.displayName))))
    } catch is DecodingError {
      throw CommandFailure("\(path.displayName) isn't what 'kiano-gpu bench --json' printed")
    } catch {
      throw CommandFailure("\(path.displayName) can't be read: \(error.localizedDescription)")
    }
  }

  /// What is faster or slower than before.
  static func comparison(_ report: BenchReport, with old: BenchReport) -> [String] {
    let pairs = report.compared(with: old)
    if pairs.isEmpty { return ["nothing in common with \(old.date)"] }
    var lines = [
      "compared with \(old.version), \(old.date)" + (old.processor == report.processor ? "" : ", \(old.processor)")
    ]
    for pair in pairs where pair.new.stage != "layer" || pair.isClear {
      let name = [pair.device, pair.new.stage, pair.new.detail].filter { !$0.isEmpty }.joined(separator: " ")
      let word = pair.isClear ? (pair.ratio > 1 ? "faster" : "slower") : "within the spread"
      lines.append(
        name.padding(toLength: max(46, name.count), withPad: " ", startingAt: 0)
          + String(format: "%6.2f times  %@", pair.ratio, word))
    }
    return lines
  }
}

/// Something that went wrong in the command line itself.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
