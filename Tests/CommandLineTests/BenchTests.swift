import Foundation
import TestSupport
import Testing

/// `bench`, as a user runs it.
struct BenchTests {
  private struct Document: Decodable {
    struct Measurement: Decodable {
      let stage: String
      let detail: String
      let perSecond: Double
      let milliseconds: Double
      let spread: Double
      let samples: Int
      let shareOfPeak: Double?
    }
    struct Device: Decodable {
      let id: String
      let peaks: [String: Double]
      let measurements: [Measurement]
      let problems: [String]
    }
    let host: [Measurement]
    let devices: [Device]
  }

  private func bench(_ program: Program, _ words: String...) throws -> Document {
    let outcome = try program.run(words: ["bench", "--quick", "--json"] + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Document.self, from: Data(outcome.bytes))
  }

  @Test func everyStageOfEveryDeviceIsMeasured() throws {
    try Program.inTemporaryFolder { program in
      let document = try bench(program)
      #expect(document.host.map(\.stage) == ["decode", "resize"])
      // Plain Swift comes last; the devices are those of this machine.
      #expect(document.devices.last?.id == "none")
      #expect(document.devices.count > 1 || !OpenCLDevice.exists)
      for device in document.devices {
        #expect(device.problems.isEmpty)
        #expect(Set(device.peaks.keys) == ["memory", "float", "integer"])
        #expect(device.peaks.values.allSatisfy { $0 > 1e8 })
        let stages = device.measurements.map(\.stage)
        #expect(stages.count { $0 == "layer" } == 52 && stages.count { $0 == "sort" } >= 3)
        for stage in ["network", "projection", "appearance", "filter", "assignment", "search"] {
          #expect(stages.contains(stage), "\(device.id) \(stage)")
        }
        for measurement in device.measurements {
          #expect(measurement.perSecond > 0 && measurement.milliseconds > 0 && measurement.samples >= 3)
        }
        // Nothing can take less time than all of its layers, but for what they share.
        let layers = device.measurements.filter { $0.stage == "layer" }
        #expect(layers.allSatisfy { ($0.shareOfPeak ?? 0) > 0 })
      }
    }
  }

  @Test func figuresAreComparedWithEarlierOnes() throws {
    try Program.inTemporaryFolder { program in
      let words = ["bench", "--quick", "--only", "projection", "--device", "none", "-j", "1", "--model", "kiano"]
      let before = try program.run(words: words + ["--json"])
      try program.write("before.json", before.bytes)
      let after = try program.run(words: words + ["--compare", "before.json"])
      #expect(after.status == 0 && after.output.contains("none projection"), "\(after.errors)")
      #expect(after.output.contains(" times  "))
      try program.write("other.json", Array("{}".utf8))
      let other = try program.run(words: words + ["--compare", "other.json"])
      #expect(other.status == 1 && other.errors.contains("other.json isn't what"))
      #expect(
        try program.run(words: words + ["--compare", "nowhere.json"]).errors.contains("nowhere.json can't be read"))
    }
  }

  @Test func wrongChoicesAreRefused() throws {
    try Program.inTemporaryFolder { program in
      let calls: [([String], Int32)] = [
        (["--only", "nothing"], 2), (["--tune", "--compare", "x"], 2), (["--tune", "--only", "sort"], 2),
        (["--compare", "x", "--json"], 2),
        (["--device", "nonesuch"], 5), (["--tune", "--device", "none"], 5),
      ]
      for (words, status) in calls {
        let outcome = try program.run(words: ["bench"] + words)
        #expect(outcome.status == status, "\(words): \(outcome.errors)")
      }
    }
  }

  @Test(.enabled(if: OpenCLDevice.exists, "no OpenCL device"))
  func tunedKernelsAreKeptAndUsed() throws {
    try Program.inTemporaryFolder { program in
      var program = program
      program.environment["KIANO_CACHE_DIR"] = program.file("cache").path
      let tuned = try program.run("bench", "--tune", "--json")
      #expect(tuned.status == 0, "\(tuned.errors)")
      #expect(tuned.output.contains(#""kept" : true"#) && tuned.errors.contains("tiles of"))
      try program.makePictures(4, in: "pictures")
      let sorted = try program.run(words: ["sort", "pictures", "-o", "map"] + deviceArguments)
      #expect(sorted.status == 0, "\(sorted.errors)")
    }
  }
}
