import Arguments
import Compute
import Engine

/// `devices`: what can compute here, and why something cannot.
struct Devices: Verb {
  static let configuration = CommandConfiguration(
    name: "devices", abstract: "List what can compute here, and why something cannot",
    discussion: """
      The first device is the one that '--device auto' takes. An id, or a part of a name, can be given to --device; \
      'none' is plain Swift, which needs no OpenCL.
      """)

  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    let report = DeviceReport()
    if display.json {
      try JSONDocument.print(Document(report))
      return
    }
    if let problem = report.problem { Console.print(problem) }
    for (index, device) in report.devices.enumerated() {
      Console.print("\(device.id)\(index == 0 ? "  (auto)" : "")")
      for (label, value) in Self.facts(device, verbosity: display.verbosity) {
        Console.print("  \(label.padding(toLength: 13, withPad: " ", startingAt: 0))\(value)")
      }
    }
    Console.print("none\(report.devices.isEmpty ? "  (auto)" : "")")
    Console.print("  plain Swift, \(report.processors) \(report.processors == 1 ? "thread" : "threads")")
  }

  private static func facts(_ device: DeviceDescription, verbosity: Int) -> [(String, String)] {
    var facts = [
      ("name", device.name), ("kind", device.kind.rawValue), ("platform", device.platform),
      ("driver", device.driver), ("units", "\(device.computeUnits)"),
      ("memory", "\(device.memoryBytes / 1_000_000) MB, \(device.maximumAllocationBytes / 1_000_000) MB in one piece"),
    ]
    if !device.isAvailable { facts.append(("state", "the driver says that it can't be used now")) }
    if verbosity > 0 {
      facts += [
        ("version", device.version), ("clock", "\(device.clockMegahertz) MHz"),
        ("local memory", "\(device.localMemoryBytes / 1024) KiB"),
        ("work group", "up to \(device.maximumWorkGroupSize) work items"),
        ("extensions", device.extensions.joined(separator: " ")),
      ]
    }
    return facts
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Entry: Encodable {
      let id: String
      let name: String
      let kind: String
      let platform: String
      let driver: String
      let version: String
      let computeUnits: Int
      let clockMegahertz: Int
      let memoryBytes: UInt64
      let maximumAllocationBytes: UInt64
      let localMemoryBytes: UInt64
      let maximumWorkGroupSize: Int
      let extensions: [String]
      let available: Bool
    }
    let schema = JSONDocument.schema
    let devices: [Entry]
    let automatic: String
    let problem: String?
    let processors: Int

    init(_ report: DeviceReport) {
      devices = report.devices.map {
        Entry(
          id: $0.id, name: $0.name, kind: $0.kind.rawValue, platform: $0.platform, driver: $0.driver,
          version: $0.version, computeUnits: $0.computeUnits, clockMegahertz: $0.clockMegahertz,
          memoryBytes: $0.memoryBytes, maximumAllocationBytes: $0.maximumAllocationBytes,
          localMemoryBytes: $0.localMemoryBytes, maximumWorkGroupSize: $0.maximumWorkGroupSize,
          extensions: $0.extensions, available: $0.isAvailable)
      }
      automatic = report.devices.first { $0.isAvailable }?.id ?? "none"
      problem = report.problem
      processors = report.processors
    }
  }
}
