import Foundation
import TestSupport
import Testing

/// OpenCL drivers that are broken in the ways that drivers are, beside a good one and alone.
struct DriverTests {
  private struct Document: Decodable {
    struct Device: Decodable { let id: String }
    struct Driver: Decodable {
      let file: String
      let isLoaded: Bool
    }
    struct Finding: Decodable {
      let problem: String
      let remedy: String
    }
    let schema: Int
    let devices: [Device]
    let automatic: String
    let reason: String
    let drivers: [Driver]
    let problems: [Finding]
  }

  private static let pocl = "/etc/OpenCL/vendors/pocl.icd"
  private static let hasPoCL = FileManager.default.fileExists(atPath: pocl)

  /// The program with a folder of drivers and a cache of its own.
  private func program(_ program: Program) throws -> Program {
    var program = program
    let vendors = program.file("vendors")
    try FileManager.default.createDirectory(at: vendors, withIntermediateDirectories: true)
    program.environment = [
      "OCL_ICD_VENDORS": vendors.path, "KIANO_CACHE_DIR": program.file("cache").path, "KIANO_PROBE_SECONDS": "3",
    ]
    return program
  }

  private func addPoCL(_ program: Program) throws {
    try FileManager.default.copyItem(atPath: Self.pocl, toPath: program.file("vendors/pocl.icd").path)
  }

  /// A driver whose first function does this.
  private func addDriver(_ program: Program, _ name: String, _ body: String) throws {
    let source = try program.write(
      "\(name).c",
      Array(
        """
        #include <stdlib.h>
        #include <unistd.h>
        static int first(void) { \(body); return -1001; }
        int clIcdGetPlatformIDsKHR(unsigned n, void *p, unsigned *c) { return first(); }
        int clGetPlatformIDs(unsigned n, void *p, unsigned *c) { return first(); }
        void *clGetExtensionFunctionAddress(const char *name) { return (void *)clIcdGetPlatformIDsKHR; }
        int clGetPlatformInfo(void *a, unsigned b, unsigned long c, void *d, void *e) { return -30; }

        """.utf8))
    let library = program.file("lib\(name).so").path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, source.path]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    try program.write("vendors/\(name).icd", Array((library + "\n").utf8))
  }

  private func devices(_ program: Program) throws -> Document {
    let outcome = try program.run("devices", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  /// Sorts with whatever `auto` takes, and says with what.
  private func sort(_ program: Program) throws -> (device: String, errors: String) {
    let outcome = try program.run("sort", "pictures", "-o", "map-\(UUID().uuidString)", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (document?["device"] as? String ?? "", outcome.errors)
  }

  @Test(arguments: [
    ("crashing", "abort()", "crashes when its devices are listed: signal 6"),
    ("faulty", "*(volatile int *)0 = 1", "crashes when its devices are listed: signal 11"),
    ("leaving", "_exit(3)", "crashes when its devices are listed: its process ended with code 3"),
    ("hanging", "sleep(1000)", "hadn't listed its devices after 3 s"),
  ])
  func aDriverThatTakesItsProcessDownIsToldAndNotUsed(_ name: String, body: String, words: String) throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      try program.makePictures(3, in: "pictures")
      try addDriver(program, name, body)
      for _ in 0..<2 {
        // The first sort tries it out, the second one remembers.
        let (device, errors) = try sort(program)
        #expect(
          device.contains("plain Swift") && errors.contains(words) && errors.contains("isn't loaded"), "\(errors)")
      }
      let alone = try devices(program)
      #expect(alone.schema == 1 && alone.devices.isEmpty && alone.automatic == "none")
      #expect(alone.problems.contains { $0.problem.contains(words) && $0.remedy.contains("update") })
      #expect(alone.drivers.map(\.isLoaded) == [false])

      guard Self.hasPoCL else { return }
      try addPoCL(program)
      let both = try devices(program)
      #expect(both.automatic.hasPrefix("portable-computing-language/") && both.automatic == both.devices[0].id)
      #expect(both.problems.contains { $0.problem.contains(words) })
      #expect(try sort(program).device.contains("pthread"))
      #expect(try program.run("sort", "pictures", "-o", "named", "--device", "cpu").status == 0)
      #expect(try program.run("--version").output.contains("Portable Computing Language"))
    }
  }

  @Test func aMissingLibraryIsToldWithWhatCanBeDone() throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      try program.makePictures(3, in: "pictures")
      try program.write("vendors/gone.icd", Array("libgone-\(UUID().uuidString).so.1\n".utf8))
      let alone = try devices(program)
      #expect(alone.automatic == "none" && alone.drivers.map(\.isLoaded) == [true])
      #expect(
        alone.problems.contains { $0.problem.contains("can't be loaded: libgone") && $0.remedy.contains("install") })
      #expect(try sort(program).device.contains("plain Swift"))
      #expect(try program.run("sort", "pictures", "-o", "cpu", "--device", "cpu").status == 5)
      guard Self.hasPoCL else { return }
      try addPoCL(program)
      let both = try devices(program)
      #expect(both.automatic.hasPrefix("portable-computing-language/"))
      #expect(both.problems.contains { $0.problem.contains("can't be loaded") })
      #expect(try sort(program).device.contains("pthread"))
    }
  }

  @Test func filesThatNameNoDriverAreTold() throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      try program.makePictures(3, in: "pictures")
      try FileManager.default.createDirectory(at: program.file("vendors/folder.icd"), withIntermediateDirectories: true)
      try program.write("vendors/noise.icd", [0x7f, 0x45, 0, 0xff, 0xfe, 0x80])
      try program.write("vendors/empty.icd", Array("\n".utf8))
      let problems = try devices(program).problems
      for (name, words) in [("folder", "is no file"), ("noise", "isn't text"), ("empty", "names no library")] {
        #expect(problems.contains { $0.problem.contains("\(name).icd: ") && $0.problem.contains(words) }, "\(problems)")
      }
      #expect(try sort(program).device.contains("plain Swift"))
      guard Self.hasPoCL else { return }
      try addPoCL(program)
      #expect(try devices(program).automatic.hasPrefix("portable-computing-language/"))
      #expect(try sort(program).device.contains("pthread"))
    }
  }

  @Test func noDriverIsTold() throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      let document = try devices(program)
      #expect(document.problems.contains { $0.problem.contains("no driver") && $0.remedy.contains("pocl-opencl-icd") })
      let text = try program.run("devices")
      #expect(text.output.contains("problem: ") && text.output.contains("remedy: ") && text.status == 0)
    }
  }

  @Test func aMendedDriverIsTriedAgain() throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      try program.makePictures(3, in: "pictures")
      try addDriver(program, "driver", "abort()")
      #expect(try sort(program).errors.contains("crashes"))
      try addDriver(program, "driver", "")
      #expect(try !sort(program).errors.contains("crashes"))
    }
  }

  @Test func whatIsRememberedMayBeLostOrDamaged() throws {
    try Program.inTemporaryFolder { bare in
      let program = try program(bare)
      try program.makePictures(3, in: "pictures")
      try addDriver(program, "driver", "abort()")
      let right = try sort(program).device
      let cache = program.file("cache")
      for name in try FileManager.default.contentsOfDirectory(atPath: cache.path) {
        let file = cache.appendingPathComponent(name)
        try Data(contentsOf: file).dropLast(9).write(to: file)
      }
      #expect(try sort(program).device == right)
      var homeless = program
      homeless.environment.merge(["HOME": "/nonexistent", "KIANO_CACHE_DIR": "/proc/none"]) { $1 }
      #expect(try sort(homeless).device == right)
    }
  }
}
