import Foundation
import TestSupport
import Testing

struct ProgramTests {
  @Test func withoutALoaderDevicesExplainsAndSortWorks() throws {
    try Program.inTemporaryFolder { program in
      var bare = program
      bare.environment = ["KIANO_OPENCL_LIBRARY": "/nowhere/libOpenCL.so"]
      let devices = try bare.run("devices")
      #expect(devices.status == 0)
      #expect(devices.output.contains("OpenCL isn't installed") && devices.output.contains("plain Swift"))
      try program.makePictures(5, in: "pictures")
      #expect(try bare.run("sort", "pictures").status == 0)
      #expect(try bare.run("sort", "pictures", "--device", "cpu").status == 5)
    }
  }

  @Test func withoutAPlatformDevicesExplainsAndSortWorks() throws {
    try Program.inTemporaryFolder { program in
      var bare = program
      try FileManager.default.createDirectory(at: program.file("vendors"), withIntermediateDirectories: true)
      bare.environment = ["OCL_ICD_VENDORS": program.file("vendors").path]
      let devices = try bare.run("devices").output
      #expect(devices.contains("OpenCL has no platform") && devices.contains(program.file("vendors").path))
      try program.makePictures(5, in: "pictures")
      #expect(try bare.run("sort", "pictures").status == 0)
    }
  }

  @Test func unwritableCacheAndHomeAreNoError() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(5, in: "pictures")
      var homeless = program
      homeless.environment = ["HOME": "/nonexistent", "XDG_CACHE_HOME": "/proc/none", "KIANO_CACHE_DIR": "/proc/none"]
      let outcome = try homeless.run(words: ["sort", "pictures"] + deviceArguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func mistakesEndWithTwo() throws {
    try Program.inTemporaryFolder { program in
      for (arguments, word) in [
        (["srot", "x"], "did you mean sort?"), (["sort"], "PATH is missing"),
        (["sort", "x", "--contnet", "1"], "did you mean --content?"), (["sort", "x", "--content", "2"], "from 0 to 1"),
        (["sort", "x", "--aspect", "0"], "--aspect"), (["sort", "x", "-j", "-1"], "--threads"),
      ] {
        let outcome = try program.run(words: arguments)
        #expect(outcome.status == 2, "\(arguments)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
    }
  }

  @Test func helpAndVersionAreResults() throws {
    try Program.inTemporaryFolder { program in
      for arguments in [[], ["-h"], ["--help"], ["help"], ["help", "sort"], ["sort", "-h"], ["sort", "--help"]] {
        let outcome = try program.run(words: arguments)
        #expect(outcome.status == 0 && outcome.output.contains("Usage: kiano-gpu") && outcome.errors.isEmpty)
      }
      let version = try program.run("--version")
      #expect(version.output.hasPrefix("kiano-gpu ") && version.output.contains("libpng"))
    }
  }

  @Test func closedPipeEndsQuietly() throws {
    try Program.inTemporaryFolder { program in
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/bash")
      let command = "'\(Locations.repository.path)/.build/release/kiano-gpu' help sort | true; echo ${PIPESTATUS[0]}"
      shell.arguments = ["-c", command]
      let pipe = Pipe()
      (shell.standardOutput, shell.standardError) = (pipe, pipe)
      try shell.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(output == "0\n")
    }
  }
}
