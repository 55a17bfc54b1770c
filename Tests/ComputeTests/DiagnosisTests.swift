import Foundation
import TestSupport
import Testing

@testable import Compute

struct DiagnosisTests {
  private func findings(
    _ failure: ComputeError?, _ nodes: [DeviceNode] = [], isContainer: Bool = false
  ) -> [Diagnosis.Finding] {
    Diagnosis(
      failure: failure, devices: [], folder: "/etc/OpenCL/vendors", drivers: [], nodes: nodes, isContainer: isContainer
    ).findings
  }

  @Test func nodesOfGPUsAreFound() throws {
    try Locations.withTemporaryFolder { root in
      for (path, text) in [
        ("dev/nvidia0", ""), ("dev/nvidiactl", ""), ("dev/nvidia-uvm", ""), ("dev/dri/card0", ""), ("dev/kfd", ""),
        ("dev/dri/renderD128", ""), ("dev/dri/renderD129", ""), ("dev/null", ""),
        ("sys/class/drm/renderD128/device/vendor", "0x8086\n"), ("sys/class/drm/renderD129/device/vendor", "0x1002\n"),
      ] {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let nodes = DeviceNode.all(root: root.path) { !$0.hasSuffix("kfd") }
      #expect(
        nodes.map(\.path) == [
          "/dev/nvidia0", "/dev/nvidiactl", "/dev/dri/renderD128", "/dev/dri/renderD129", "/dev/kfd",
        ])
      #expect(nodes.map(\.vendor) == [.nvidia, .nvidia, .intel, .amd, .amd])
      #expect(nodes.map(\.isAccessible) == [true, true, true, true, false])
      #expect(nodes.allSatisfy { !$0.group.isEmpty })
    }
  }

  @Test func eachCauseHasItsRemedy() {
    let loader = findings(.loaderMissing(reason: "no such file"))
    #expect(loader.count == 1 && loader[0].problem.contains("no such file") && loader[0].remedy.contains("ocl-icd"))
    #expect(findings(.noPlatform)[0].problem.contains("/etc/OpenCL/vendors"))

    let forbidden = DeviceNode(path: "/dev/dri/renderD128", vendor: .intel, isAccessible: false, group: "render")
    let permission = findings(.noPlatform, [forbidden])
    #expect(permission.count == 2 && permission[1].problem.contains("/dev/dri/renderD128"))
    #expect(permission[1].remedy.contains("usermod -aG render"))

    let nvidia = ["/dev/nvidia0", "/dev/nvidiactl"].map {
      DeviceNode(path: $0, vendor: .nvidia, isAccessible: true, group: "root")
    }
    let driverless = findings(.noPlatform, nvidia)
    #expect(driverless.count == 2 && driverless[1].remedy.contains("nvidia-opencl-icd"))
    #expect(findings(.noPlatform, isContainer: true).last?.remedy.contains("--gpus all") == true)
  }

  @Test func addressesAreWrittenAsTheSystemDoes() {
    #expect(PCIAddress.text(domain: 0, bus: 0x3b, device: 0, function: 1) == "0000:3b:00.1")
    #expect(PCIAddress.text(domain: 0x10000, bus: 1, device: 31, function: 7) == "10000:01:1f.7")
  }
}
