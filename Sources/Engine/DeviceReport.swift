import Compute
import Imaging

/// What can compute on this machine.
public struct DeviceReport: Sendable {
  /// Devices, the one that `auto` takes first, those that can't be used last.
  public let devices: [DeviceDescription]
  /// Why there are none; nil where there are.
  public let problem: String?
  /// Threads that plain Swift has.
  public let processors = AvailableProcessors.count

  /// Lists the devices.
  public init() {
    switch OpenCLRuntime.shared {
    case .success(let runtime):
      devices = DeviceSelection.byPreference(runtime.devices) + runtime.devices.filter { !$0.isAvailable }
      problem = nil
    case .failure(let error):
      devices = []
      problem = "No OpenCL device: \(error)."
    }
  }
}
