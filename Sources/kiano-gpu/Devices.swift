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

      Each driver is tried out in a process of its own, so that one that crashes or hangs is told and not used. What is \
      wrong is listed with what can be done about it.
      """)

  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    let report = DeviceReport(.ofThisProgram)
    if display.json {
      try JSONDocument.print(Document(report))
      return
    }
    for device in report.devices {
      Console.print("\(device.id)\(device.id == report.automatic ? "  (auto: \(report.reason))" : "")")
      for (label, value) in Self.facts(device, verbosity: display.verbosity) {
        Console.print("  \(label.padding(toLength: 13, withPad: " ", startingAt: 0))\(value)")
      }
    }
    Console.print("none\(report.automatic == "none" ? "  (auto: \(report.reason))" : "")")
    Console.print("  plain Swift, \(report.processors) \(plural(report.processors, "thread"))")
    for finding in report.findings {
      Console.print("problem: \(finding.problem)")
      Console.print("  remedy: \(finding.remedy)")
    }
  }

  private static func facts(_ device: DeviceDescription, verbosity: Int) -> [(String, String)] {
    var facts = [
      ("name", device.name), ("kind", device.kind.rawValue), ("platform", device.platform),
      ("driver", device.driver), ("version", device.version),
    ]
    if let address = device.pciAddress { facts.append(("pci address", address)) }
    facts += [
      ("memory", "\(device.memoryBytes / 1_000_000) MB, \(device.maximumAllocationBytes / 1_000_000) MB in one piece"),
      (
        "limits",
        "\(device.computeUnits) \(plural(device.computeUnits, "compute unit"))"
          + (device.clockMegahertz > 0 ? " at \(device.clockMegahertz) MHz" : "")
          + ", \(device.maximumWorkGroupSize) work items in a group, \(device.localMemoryBytes / 1024) KiB of local memory"
      ),
      ("extensions", device.features.map { "\($0.name) \($0.isThere ? "yes" : "no")" }.joined(separator: ", ")),
    ]
    let verdicts = DeviceReport.verdicts(device).map { area, verdict in "\(area) \(verdict?.words ?? "not yet")" }
    facts.append(("self-tests", verdicts.joined(separator: ", ")))
    if !device.isAvailable { facts.append(("state", "the driver says that it can't be used now")) }
    if verbosity > 0 { facts.append(("all of them", device.extensions.joined(separator: " "))) }
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
      let pciAddress: String?
      let computeUnits: Int
      let clockMegahertz: Int
      let memoryBytes: UInt64
      let maximumAllocationBytes: UInt64
      let localMemoryBytes: UInt64
      let maximumWorkGroupSize: Int
      /// Of the extensions that make a difference, whether they are there.
      let features: [String: Bool]
      let extensions: [String]
      /// What came of the self-tests, by what they are for; what wasn't run yet is left out.
      let selfTests: [String: String]
      let available: Bool

      init(_ device: DeviceDescription) {
        (id, name, kind, platform) = (device.id, device.name, device.kind.rawValue, device.platform)
        (driver, version, pciAddress) = (device.driver, device.version, device.pciAddress)
        (computeUnits, clockMegahertz) = (device.computeUnits, device.clockMegahertz)
        (memoryBytes, maximumAllocationBytes) = (device.memoryBytes, device.maximumAllocationBytes)
        (localMemoryBytes, maximumWorkGroupSize) = (device.localMemoryBytes, device.maximumWorkGroupSize)
        features = Dictionary(device.features.map { ($0.name, $0.isThere) }, uniquingKeysWith: { $1 })
        selfTests = Dictionary(
          DeviceReport.verdicts(device).compactMap { area, verdict in verdict.map { (area, $0.words) } },
          uniquingKeysWith: { $1 })
        (extensions, available) = (device.extensions, device.isAvailable)
      }
    }
    struct Driver: Encodable {
      let file: String
      let library: String
      let libraryPath: String?
      let platforms: [String]
      let isLoaded: Bool
    }
    struct Finding: Encodable {
      let problem: String
      let remedy: String
    }
    let schema = JSONDocument.schema
    let devices: [Entry]
    let automatic: String
    let reason: String
    let drivers: [Driver]
    let problems: [Finding]
    let processors: Int

    init(_ report: DeviceReport) {
      devices = report.devices.map(Entry.init)
      (automatic, reason, processors) = (report.automatic, report.reason, report.processors)
      drivers = report.drivers.map {
        Driver(
          file: $0.driver.path, library: $0.driver.library, libraryPath: $0.libraryPath,
          platforms: $0.platforms.map(\.name), isLoaded: !$0.isDangerous)
      }
      problems = report.findings.map { Finding(problem: $0.problem, remedy: $0.remedy) }
    }
  }
}

extension SelfTestVerdict {
  /// "passed", or which kernel is wrong.
  fileprivate var words: String {
    switch self {
    case .passed: "passed"
    case .wrong(let kernel): "wrong (\(kernel))"
    }
  }
}
