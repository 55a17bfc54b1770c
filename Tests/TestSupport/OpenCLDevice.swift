import Compute
import Foundation

/// The device that tests run kernels on, in suites that have the trait `.deviceThread`.
///
/// `exists` doesn't open the device, since traits are evaluated on any thread.
public enum OpenCLDevice {
  private static let request = ProcessInfo.processInfo.environment["KIANO_TEST_DEVICE"] ?? "auto"

  /// Whether kernels can be run; `KIANO_TEST_DEVICE=none` asks for the tests of a machine without OpenCL.
  public static let exists: Bool = {
    guard request != "none", case .success = OpenCLRuntime.shared else { return false }
    return true
  }()

  /// Opened once for all tests.
  public static let shared: Device? = try? DeviceSelection(request).open()

  /// Whether the device is oclgrind, which interprets kernels and needs small shapes.
  public static let isInterpreter: Bool = {
    guard case .success(let runtime) = OpenCLRuntime.shared else { return false }
    return runtime.platforms.contains { $0.name.contains("Oclgrind") }
  }()

  /// Whether the device is a processor, or oclgrind: kernels for processors take a GPU's compiler minutes.
  public static let runsProcessorKernels: Bool = {
    guard case .success(let runtime) = OpenCLRuntime.shared,
      let device = try? DeviceSelection(request).choose(among: runtime.devices).chosen.first
    else { return false }
    return device.kind == .cpu || isInterpreter
  }()
}
