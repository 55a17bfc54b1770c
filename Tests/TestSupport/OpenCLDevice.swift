import Foundation

import Compute

/// The device that tests run kernels on; nil, with those tests skipped, where there is none or where
/// `KIANO_TEST_DEVICE=none` asks for the tests of a machine without OpenCL.
public enum OpenCLDevice {
  /// Opened once for all tests.
  public static let shared: Device? = {
    let request = ProcessInfo.processInfo.environment["KIANO_TEST_DEVICE"] ?? "auto"
    return try? DeviceSelection(request).open()
  }()

  /// Whether kernels can be run.
  public static var exists: Bool { shared != nil }

  /// Whether the device is oclgrind, which interprets kernels and needs small shapes.
  public static var isInterpreter: Bool { shared?.description.name.contains("Oclgrind") ?? false }
}
