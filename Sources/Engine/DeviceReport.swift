import Compute
import Imaging

/// What can compute on this machine, and why something cannot.
public struct DeviceReport: Sendable {
  /// Devices, the one that `auto` takes first, those that can't be used last.
  public let devices: [DeviceDescription]
  /// What came of trying out each driver.
  public let drivers: [DriverReport]
  /// What is wrong.
  public let findings: [Diagnosis.Finding]
  /// The id of what `auto` takes; `none` for plain Swift.
  public let automatic: String
  /// Why.
  public let reason: String
  /// Threads that plain Swift has.
  public let processors = AvailableProcessors.count

  /// Lists the devices.
  /// - Parameter probe: tries the drivers out, whatever is remembered of them.
  public init(_ probe: DriverProbe) {
    let (runtime, drivers) = OpenCLRuntime.load(probe, fresh: true)
    self.drivers = drivers
    var failure: ComputeError?
    switch runtime {
    case .success(let runtime):
      devices = DeviceSelection.byPreference(runtime.devices) + runtime.devices.filter { !$0.isAvailable }
    case .failure(let error):
      devices = []
      failure = error
    }
    findings =
      Diagnosis(
        failure: failure, devices: devices, folder: DriverFile.installed().folder, drivers: drivers,
        nodes: DeviceNode.all(), isContainer: Diagnosis.isContainer
      ).findings
    let usable = devices.filter { device in
      device.isAvailable && !Self.verdicts(device).contains { if case .wrong? = $0.verdict { true } else { false } }
    }
    automatic = usable.first?.id ?? "none"
    reason = Self.reason(usable)
  }

  /// What came of the self-tests of a device for each kind of work; nil where they haven't been run.
  public static func verdicts(_ device: DeviceDescription) -> [(area: String, verdict: SelfTestVerdict?)] {
    ComputeArea.allCases.map { ($0.rawValue, $0.selfTests(on: device).remembered(device)) }
  }

  private static func reason(_ usable: [DeviceDescription]) -> String {
    guard let first = usable.first else { return "there is no device" }
    if usable.count == 1 { return "it is the only device" }
    if usable.count(where: { $0.kind == first.kind }) == 1 {
      return "it is the only \(first.kind.words), before any other kind"
    }
    return "it is the \(first.kind.words) with the most compute units times clock"
  }
}

extension DeviceDescription.Kind {
  /// What people call it.
  public var words: String {
    switch self {
    case .cpu: "processor"
    case .gpu: "GPU"
    case .accelerator: "accelerator"
    }
  }
}
