import Features
import Foundation
import TestSupport
import Testing

/// Devices that fail in the middle of a run of the built program, as `KIANO_INJECT_FAULTS` says.
@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"))
struct FaultTests {
  /// Each kind of fault at some calls, once and for ever after.
  static let once = kinds.flatMap { kind in [1, 2, 7].map { "\(kind):\($0)" } }
  static let lasting = kinds.flatMap { kind in [1, 2, 7].map { "\(kind):\($0)+" } }
  private static let kinds = ["context", "allocation", "enqueue", "finish", "transfer", "build", "lost", "slow"]

  private func run(_ program: Program, _ faults: String, _ words: [String]) throws -> Program.Outcome {
    var program = program
    program.environment["KIANO_INJECT_FAULTS"] = faults
    return try program.run(words: words)
  }

  /// What a failure is told by: one line for each thing that is done after it, and nothing else.
  private func expectLines(_ outcome: Program.Outcome, _ faults: String, location: SourceLocation = #_sourceLocation) {
    let lines = outcome.errors.split(separator: "\n")
    let told = lines.filter { $0.contains(" goes on ") || $0.contains("passed over") || $0.contains("tried once more") }
    #expect(lines.count == told.count && told.count <= 8, "\(faults): \(outcome.errors)", sourceLocation: location)
    // A fault at a later call than the run makes doesn't happen.
    if faults.contains(":1") { #expect(!told.isEmpty, "\(faults)", sourceLocation: location) }
  }

  @Test func sortMakesTheRightMapWhateverFails() throws {
    try Program.inTemporaryFolder { program in
      // Three batches, the last of which isn't full.
      try program.makePictures(70, in: "pictures")
      func checksum(_ faults: String, _ words: String...) throws -> String {
        let map = "map-\(UUID().uuidString)"
        let outcome = try run(program, faults, ["sort", "pictures", "-q", "-o", map] + words)
        #expect(outcome.status == 0, "\(faults): \(outcome.errors)")
        if !faults.isEmpty { expectLines(outcome, faults) }
        defer { try? FileManager.default.removeItem(at: program.file(map)) }
        return try MapJSON(program.file(map)).checksum
      }
      let right = try checksum("")
      for faults in Self.once { #expect(try checksum(faults) == right, "\(faults)") }
      // Plain Swift's content vectors may differ in the last bit; the others are exact.
      let rightByLook = try checksum("", "--content", "0")
      for faults in Self.lasting { #expect(try checksum(faults, "--content", "0") == rightByLook, "\(faults)") }
    }
  }

  @Test func arrangeMakesTheSameCellsWhateverFails() throws {
    try Program.inTemporaryFolder { program in
      let values = (0..<900 * 12).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
      try program.writeArray("vectors.npy", NPYArray(shape: [900, 12], values))
      func checksum(_ faults: String) throws -> String {
        let outcome = try run(program, faults, ["arrange", "vectors.npy", "--json", "--quality", "fast"])
        #expect(outcome.status == 0, "\(faults): \(outcome.errors)")
        if !faults.isEmpty { expectLines(outcome, faults) }
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return "\(document?["checksum"] ?? "none") \(document?["dpq16"] ?? "none")"
      }
      let right = try checksum("")
      for faults in Self.once + Self.lasting { #expect(try checksum(faults) == right, "\(faults)") }
    }
  }

  @Test func searchFindsTheSameWhateverFails() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(40, in: "pictures")
      #expect(try program.run("index", "pictures", "-o", "map").status == 0)
      for words in [[names[3], "-n", "12"], ["--duplicates", "--threshold", "0.3"]] {
        let command = ["search", "--map", "map", "--content", "0"] + words
        let right = try program.run(words: command)
        #expect(right.status == 0 && !right.output.isEmpty, "\(right.errors)")
        for faults in Self.once + Self.lasting {
          let outcome = try run(program, faults, command)
          #expect(outcome.status == 0 && outcome.output == right.output, "\(faults): \(outcome.errors)")
        }
      }
    }
  }

  @Test func aDeviceAskedForByNameIsNotReplaced() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(40, in: "pictures")
      let listed = try program.run("devices", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any]
      let id = try #require(document?["automatic"] as? String)
      for device in [id, String(id.split(separator: "/")[1].prefix(5))] {
        for kind in ["context", "enqueue", "lost"] {
          let once = try run(program, "\(kind):1", ["sort", "pictures", "-o", "once", "--device", device])
          #expect(once.status == 0, "\(once.errors)")
          let lasting = try run(program, "\(kind):1+", ["sort", "pictures", "-o", "lasting", "--device", device])
          #expect(lasting.status == 5 && lasting.errors.contains("can't be used"), "\(lasting.errors)")
          for map in ["once", "lasting"] { try? FileManager.default.removeItem(at: program.file(map)) }
        }
      }
    }
  }

  @Test func whatWasComputedBeforeADeviceFailsIsKept() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(100, in: "pictures")
      // Making the kernels takes some 30 calls, and each batch 8.
      let words = ["index", "pictures", "-o", "map", "--device", "cpu", "--json"]
      let failed = try run(program, "lost:45+", words)
      #expect(failed.status == 5, "\(failed.errors)")
      let document = try JSONSerialization.jsonObject(with: Data(try program.run(words: words).output.utf8))
      let library = try #require((document as? [String: Any])?["library"] as? [String: Any])
      let computed = try #require(library["computed"] as? Int)
      #expect((1...68).contains(computed), "\(computed)")
    }
  }

  @Test func wrongAnswersAreFoundByTheSelfTests() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(20, in: "pictures")
      func sort(_ faults: String, _ words: String...) throws -> (checksum: String, errors: String) {
        let map = "map-\(UUID().uuidString)"
        let outcome = try run(program, faults, ["sort", "pictures", "-q", "--content", "0", "-o", map] + words)
        #expect(outcome.status == 0, "\(faults): \(outcome.errors)")
        return (try MapJSON(program.file(map)).checksum, outcome.errors)
      }
      let right = try sort("").checksum
      // The first kernel, the second, and so on: two each of the network, the projection and the appearance.
      for (faults, kernel) in [
        ("wrong:2", "whole_network"), ("wrong:3", "project"), ("wrong:5", "appearance"),
        ("wrong:1+", "whole_network"),
      ] {
        let (checksum, errors) = try sort(faults)
        #expect(checksum == right, "\(faults)")
        let lines = errors.split(separator: "\n")
        #expect(lines.count == 1 && errors.contains("passed over") && errors.contains("(\(kernel))"), "\(errors)")
      }
      for faults in ["selftest:1", "selftest:2", "selftest:1+"] {
        #expect(try sort(faults).checksum == right, "\(faults)")
      }
      let named = try run(program, "wrong:1", ["sort", "pictures", "-o", "named", "--device", "cpu"])
      #expect(named.status == 5 && named.errors.contains("wrong values"), "\(named.errors)")
    }
  }

  @Test func verdictsAreRememberedAndMayBeLost() throws {
    try Program.inTemporaryFolder { bare in
      var program = bare
      program.environment["KIANO_CACHE_DIR"] = program.file("cache").path
      try program.makePictures(9, in: "pictures")
      func checksum() throws -> String {
        let map = "map-\(UUID().uuidString)"
        let outcome = try program.run("sort", "pictures", "-q", "-o", map)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return try MapJSON(program.file(map)).checksum
      }
      func verdicts() throws -> [String: String]? {
        let text = try program.run("devices", "--json").output
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (document?["devices"] as? [[String: Any]])?.first?["selfTests"] as? [String: String]
      }
      #expect(try verdicts() == [:])
      let right = try checksum()
      #expect(try verdicts() == ["features": "passed", "sorting": "passed"])
      // Truncated, garbage, and what another driver left.
      let cache = program.file("cache")
      let names = try FileManager.default.contentsOfDirectory(atPath: cache.path)
      let whole = try names.map { try Data(contentsOf: cache.appendingPathComponent($0)) }
      for damage in 0..<3 {
        for (index, name) in names.enumerated() {
          let bytes = [whole[index].dropLast(5), Data("garbage".utf8), whole[(index + 1) % whole.count]][damage]
          try bytes.write(to: cache.appendingPathComponent(name))
        }
        #expect(try checksum() == right)
      }
    }
  }

  @Test func faultsThatMakeNoSenseAreAMistake() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(2, in: "pictures")
      let outcome = try run(program, "everything", ["sort", "pictures"])
      #expect(outcome.status == 2 && outcome.errors.contains("KIANO_INJECT_FAULTS"))
    }
  }
}
