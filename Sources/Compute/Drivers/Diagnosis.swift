import Foundation

/// What keeps a machine from computing on a device, each with what a person can do.
public struct Diagnosis: Sendable, Equatable {
  /// Something that is wrong.
  public struct Finding: Sendable, Equatable {
    /// What.
    public let problem: String
    /// What a person can do.
    public let remedy: String
  }

  /// What is wrong, the first cause first.
  public let findings: [Finding]

  /// Looks at what the listing of devices left.
  /// - Parameters:
  ///   - failure: why there is no device; nil where there is one.
  ///   - devices: those that there are.
  ///   - folder: where the loader looks for drivers.
  ///   - drivers: what is known of those there.
  ///   - nodes: the GPUs' files.
  ///   - isContainer: whether this is one.
  public init(
    failure: ComputeError?, devices: [DeviceDescription], folder: String, drivers: [DriverReport],
    nodes: [DeviceNode], isContainer: Bool
  ) {
    var findings: [Finding] = []
    if case .loaderMissing(let reason) = failure {
      findings.append(
        Finding(
          problem: "OpenCL isn't installed: its loader can't be opened: \(reason)",
          remedy: "install ocl-icd-libopencl1 and the device's driver, or pocl-opencl-icd to use the processor"))
    } else if drivers.isEmpty, devices.isEmpty {
      findings.append(
        Finding(
          problem: "OpenCL has no platform: there is no driver (.icd file) in \(folder)",
          remedy: "install the device's driver, or pocl-opencl-icd to use the processor"))
    }
    findings += drivers.compactMap { $0.problem.map { Finding(problem: $0.text, remedy: $0.remedy) } }
    for node in nodes where !node.isAccessible {
      findings.append(
        Finding(
          problem: "\(node.path) may not be used by this account",
          remedy: "add it to the group \(node.group) (sudo usermod -aG \(node.group) $USER) and log in again"))
    }
    let platforms = devices.map { $0.platform.lowercased() }
    var told: Set<DeviceNode.Vendor> = []
    for node in nodes where node.isAccessible && node.vendor != .other && told.insert(node.vendor).inserted {
      if platforms.contains(where: { platform in node.vendor.platformWords.contains { platform.contains($0) } }) {
        continue
      }
      findings.append(
        Finding(
          problem: "there is a GPU (\(node.path)), but no OpenCL driver lists it",
          remedy: "install \(node.vendor.package)"))
    }
    if isContainer, nodes.isEmpty, !devices.contains(where: { $0.kind == .gpu }) {
      findings.append(
        Finding(
          problem: "this is a container, and no GPU was passed into it",
          remedy: "start it with --gpus all (NVIDIA), --device /dev/dri (Intel, AMD) or --device /dev/kfd too (AMD)"))
    }
    self.findings = findings
  }

  /// Whether this process runs in a container.
  public static var isContainer: Bool {
    ["/.dockerenv", "/run/.containerenv"].contains { FileManager.default.fileExists(atPath: $0) }
      || ProcessInfo.processInfo.environment["container"] != nil
      || (try? String(contentsOfFile: "/proc/1/cgroup", encoding: .utf8))
        .map { $0.contains("docker") || $0.contains("kubepods") || $0.contains("containerd") } == true
  }
}
