import Arguments
import Compute
import Engine
import Foundation
import Imaging

extension BenchJob.Stage: ExpressibleByArgument {}

/// `bench`: how fast this machine is at this work.
struct Bench: Verb {
  static let configuration = CommandConfiguration(
    name: "bench", abstract: "Measure how fast the devices of this machine are at this work",
    discussion: """
      Measures every OpenCL device and plain Swift, stage by stage: decoding and making smaller, the network and each of \
      its layers, projection and appearance, filter and swaps of the sort, whole sorts, searches. Each is given per second, \
      by the median, with the spread of the middle eight tenths of the runs, and as a share of the best that the device \
      was measured to do: reading memory, or multiplying and adding floats or whole numbers. The first run, in which \
      drivers compile, isn't counted.

      A full run takes some minutes, --quick less than half a minute. Figures of a machine that does other things meanwhile \
      have a large spread.

      --tune tries the sizes of tiles and groups of the network's kernels and keeps the fastest, for this device and version \
      of its driver, in the cache.
      """,
    examples: [
      .init("kiano-gpu bench --quick", "Measures all devices in less than half a minute."),
      .init("kiano-gpu bench --json > before.json", "Keeps the figures for later."),
      .init("kiano-gpu bench --compare before.json", "Shows what is faster or slower now."),
      .init("kiano-gpu bench --device gpu --tune", "Finds the fastest kernels for the GPU."),
    ])

  @Option(
    .long("device"), valueName: "DEVICE", help: "Only this, as for 'sort'; all devices and plain Swift where left out")
  var device: String?
  @Option(.short("j"), .long("threads"), valueName: "N", help: "Threads for decoding and plain Swift; 0 for all cores")
  var threads: Int = 0
  @Option(.long("only"), valueName: "STAGE", help: "Only this stage; may be repeated") var stages: [BenchJob.Stage] = []
  @Flag(.long("quick"), help: "Less, and for a shorter time: under 30 seconds") var quick: Bool
  @Option(.long("compare"), valueName: "FILE", help: "Compare with what --json printed earlier") var old: BytePath?
  @Flag(.long("tune"), help: "Find and keep the fastest parameters of the network's kernels") var tunes: Bool
  @OptionGroup var model = ModelOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if !(0...4096).contains(threads) { throw UsageError("--threads takes 0 for all cores, or a number up to 4096") }
    if old != nil, display.json { throw UsageError("--compare is for people: it takes no --json") }
    if tunes, old != nil { throw UsageError("--tune and --compare exclude each other") }
    if tunes, !stages.isEmpty { throw UsageError("--tune is about the network: it takes no --only") }
    if tunes, model.name != nil {
      throw UsageError("--tune tries the built-in network, whose kernels all share: it takes no --model")
    }
  }

  mutating func run() throws {
    let selection = device.map { DeviceSelection($0) }
    let shown = JobDisplay(display)
    defer { shown.clear() }
    if tunes {
      var job = TuneJob()
      job.selection = selection
      job.faults = try InjectedFaults.plan
      let reports = try job.run(probe: .ofThisProgram, cancellation: Interruption.watch(), events: shown.events)
      shown.clear()
      return try print(reports)
    }
    let before = try old.map { try BenchTable.read($0) }
    var job = BenchJob(threads: threads == 0 ? AvailableProcessors.count : threads, version: Program.version)
    job.selection = selection
    if !stages.isEmpty { job.stages = stages }
    job.isQuick = quick
    job.faults = try InjectedFaults.plan
    job.model = model.request
    let report = try job.run(probe: .ofThisProgram, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json { return try JSONDocument.print(report) }
    let isVerbose = display.verbosity > 0
    BenchTable(report: report, showsLayers: isVerbose || stages.contains(.layer), showsRuns: isVerbose).lines
      .forEach(Console.print)
    if let before {
      Console.print("")
      BenchTable.comparison(report, with: before).forEach(Console.print)
    }
  }

  private func print(_ reports: [TuneJob.Report]) throws {
    if display.json { return try JSONDocument.print(TuneDocument(devices: reports.map(TuneDocument.Entry.init))) }
    for report in reports {
      let outcome = report.outcome
      Console.print(report.device)
      Console.print(
        String(
          format: "  %.2f ms for 32 pictures, %.2f with the values of its kind: %@", outcome.seconds * 1000,
          outcome.standardSeconds * 1000, outcome.parameters))
      if !outcome.isKept { Console.note("the cache can't be written: later runs won't know of this") }
    }
  }

  /// What `--tune --json` prints.
  private struct TuneDocument: Encodable {
    struct Entry: Encodable {
      let id: String
      let parameters: String
      let milliseconds: Double
      let standardMilliseconds: Double
      let kept: Bool

      init(_ report: TuneJob.Report) {
        id = report.device
        (parameters, kept) = (report.outcome.parameters, report.outcome.isKept)
        (milliseconds, standardMilliseconds) = (report.outcome.seconds * 1000, report.outcome.standardSeconds * 1000)
      }
    }
    let schema = JSONDocument.schema
    let devices: [Entry]
  }
}
