import Foundation
import TestSupport
import Testing

@testable import Compute

/// A run under a tool must not pass because the tool wasn't there and every suite was skipped.
struct ExpectedDeviceKernelTests {
  static let expected = ProcessInfo.processInfo.environment["KIANO_TEST_EXPECTS_DEVICE"]

  @Test(.enabled(if: expected != nil, "no device is expected by name"))
  func deviceIsTheExpectedOne() throws {
    let platforms = try OpenCLRuntime.shared.get().platforms.map(\.name)
    #expect(platforms.contains { $0.contains(Self.expected!) })
    #expect(OpenCLDevice.exists)
  }
}
