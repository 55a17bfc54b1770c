import Foundation
import TestSupport
import Testing

@testable import Compute

private let addSource = KernelSource(
  name: "add",
  text: """
    __attribute__((reqd_work_group_size(4, 1, 1)))
    kernel void add(global const int *a, global int *b, int n) {
      int i = get_global_id(0);
      if (i < n) b[i] += a[i] * FACTOR;
    }
    """)

@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct DeviceKernelTests {
  let device = OpenCLDevice.shared!

  @Test func runsAKernelOnBuffers() throws {
    let a = try device.makeBuffer(copying: (0..<10).map(Int32.init))
    let b = try device.makeBuffer(copying: [Int32](repeating: 1, count: 10))
    let kernel = try device.program(addSource, options: ["-DFACTOR=3"]).kernel("add")
    try device.enqueue(kernel, [.buffer(a), .buffer(b), .int(10)], groups: [3], groupSize: [4])
    #expect(try b.read(Int32.self, count: 10) == (0..<10).map { 3 * $0 + 1 })
  }

  @Test func emptyBuffersAndEmptyRangesAreAllowed() throws {
    let buffer = try device.makeBuffer(copying: [Int32]())
    let kernel = try device.program(addSource, options: ["-DFACTOR=1"]).kernel("add")
    try device.enqueue(kernel, [.buffer(buffer), .buffer(buffer), .int(0)], groups: [0], groupSize: [4])
    #expect(try buffer.read(Int32.self, count: 0) == [])
  }

  @Test func sameProgramIsBuiltOnce() throws {
    let first = try device.program(addSource, options: ["-DFACTOR=5"])
    #expect(try device.program(addSource, options: ["-DFACTOR=5"]) === first)
    #expect(try device.program(addSource, options: ["-DFACTOR=6"]) !== first)
  }

  @Test func buildFailureCarriesTheLog() throws {
    let source = KernelSource(name: "broken", text: "kernel void broken() { undeclared(); }")
    let error = #expect(throws: ComputeError.self) { try device.program(source) }
    guard case .build("broken", _, let log) = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
    #expect(!log.isEmpty)
  }

  @Test func parallelFirstUseSharesOneDevice() throws {
    let runtime = try OpenCLRuntime.shared.get()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      #expect((try? runtime.open(device.description)) === device)
    }
  }

  @Test(.enabled(if: !OpenCLDevice.isInterpreter, "oclgrind's binaries are LLVM bitcode of one run"))
  func binaryCacheSurvivesDamage() throws {
    try Locations.withTemporaryFolder { folder in
      let cache = BinaryCache(folder: folder)
      let key = ProgramKey(source: addSource, options: ["-DFACTOR=9"])
      func build() throws { _ = try Program(device: device, key: key, cache: cache).kernel("add") }
      try build()
      let file = folder.appendingPathComponent(cache.key(device: device.description, program: key))
      let whole = try Data(contentsOf: file)
      try build()
      for damaged in [Data(), whole.prefix(20), whole.prefix(whole.count / 2), Data(whole.reversed())] {
        try damaged.write(to: file)
        try build()
        #expect(try Data(contentsOf: file).count == whole.count)
      }
    }
  }
}

struct BinaryCacheTests {
  @Test func unwritableFolderIsOnlyAMiss() {
    let cache = BinaryCache(folder: URL(fileURLWithPath: "/proc/nowhere"))
    cache.store([1, 2, 3], for: "key")
    #expect(cache.load("key") == nil)
    #expect(BinaryCache(folder: nil).load("key") == nil)
  }

  @Test func returnsWhatWasStored() throws {
    try Locations.withTemporaryFolder { folder in
      let cache = BinaryCache(folder: folder.appendingPathComponent("a/b"))
      cache.store([1, 2, 3], for: "key")
      #expect(cache.load("key") == [1, 2, 3])
      #expect(cache.load("other") == nil)
      let stored = folder.appendingPathComponent("a/b/key")
      try FileManager.default.copyItem(at: stored, to: folder.appendingPathComponent("a/b/other"))
      #expect(cache.load("other") == nil)
    }
  }
}

struct KernelSourceTests {
  @Test func whatKernelsShareStandsBeforeThem() {
    let text = KernelSource.embedded("search").text
    #expect(text.contains("#define PRODUCT(a, b)") && !text.contains("#include"))
    for source in KernelSource.all { #expect(!KernelSource.embedded(source.name).text.contains("#include \"")) }
  }
}

struct DeviceSelectionTests {
  @Test func understandsWords() {
    #expect(DeviceSelection("AUTO") == .automatic)
    #expect(DeviceSelection("none") == .none)
    #expect(DeviceSelection("gpu") == .kind(.gpu))
    #expect(DeviceSelection("Tesla") == .named("Tesla"))
    #expect(DeviceSelection("all") == .all)
    #expect(DeviceSelection("cpu, Tesla") == .several([.kind(.cpu), .named("Tesla")]))
  }

  @Test func noneNeedsNoOpenCL() throws {
    #expect(try DeviceSelection.none.open() == nil)
  }

  @Test func unknownNameIsAnError() {
    #expect(throws: ComputeError.self) { try DeviceSelection("no such device").open() }
  }

  @Test func slugIsStable() {
    #expect(DeviceDescription.slug("Intel(R) Xeon(R)  CPU") == "intel-r-xeon-r-cpu")
  }
}
