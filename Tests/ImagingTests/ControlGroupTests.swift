import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("What the machine allows")
struct ControlGroupTests {
  /// A tree of files as control groups have them.
  private func withGroups(_ files: [String: String], _ body: (String) throws -> Void) throws {
    try Locations.withTemporaryFolder { folder in
      for (name, content) in files {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file)
      }
      try body(folder.path)
    }
  }

  @Test("is the least of a group's limit and those above it, in version 2")
  func versionTwo() throws {
    try withGroups([
      "a/memory.max": "2147483648\n", "a/b/memory.max": "max\n", "a/b/cpu.max": "350000 100000\n",
      "a/cpu.max": "max 100000\n", "other/memory.max": "1\n",
    ]) { root in
      let group = ControlGroup("0::/a/b\n", root: root)
      #expect(group.memoryLimit == 2 << 30)
      #expect(group.processorLimit == 4)
      #expect(ControlGroup("0::/\n", root: root).memoryLimit == nil)
    }
  }

  @Test("and in version 1, which has a tree for each controller")
  func versionOne() throws {
    try withGroups([
      "memory/job/memory.limit_in_bytes": "1073741824\n", "memory/memory.limit_in_bytes": "9223372036854771712\n",
      "cpu,cpuacct/job/cpu.cfs_quota_us": "150000\n", "cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
      "cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
    ]) { root in
      let group = ControlGroup("9:name=systemd:/\n4:memory:/job\n2:cpu,cpuacct:/job\n0::/\n", root: root)
      #expect(group.memoryLimit == 1 << 30)
      #expect(group.processorLimit == 2)
    }
  }

  @Test("is what is there, where nothing can be read")
  func unknown() {
    for text in ["", "rubbish", "0::/nowhere"] {
      let group = ControlGroup(text, root: "/nowhere")
      #expect(group.memoryLimit == nil)
      #expect(group.processorLimit == nil)
    }
    #expect(ControlGroup.processors("rubbish") == nil)
    #expect(ControlGroup.processors("\(Int.max) 2") == Int.max / 2 + 1)
    #expect(AvailableProcessors.count >= 1)
    #expect(AvailableMemory.bytes > 0)
  }
}
