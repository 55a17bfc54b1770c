import Features
import Foundation
import TestSupport
import Testing

struct ArrangeTests {
  /// Random bytes, the same ones at each run.
  private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed &* 2 &+ 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  private func arrange(_ program: Program, _ arguments: [String]) throws -> [String: Any] {
    let outcome = try program.run(words: ["arrange"] + arguments + ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  @Test(.enabled(if: OpenCLDevice.exists, "no OpenCL device"))
  func deviceAndPlainSwiftMakeTheSameGrid() throws {
    try Program.inTemporaryFolder { program in
      for number in 0..<20 {
        let count = 1 + number * number * 3
        let dimensions = [1, 3, 8, 17, 64, 128][number % 6]
        let columns = 1 + (number * 7) % 23
        let rows = (count + columns - 1) / columns + number % 3
        try program.writeArray(
          "vectors.npy", NPYArray(shape: [count, dimensions], bytes(count * dimensions, seed: UInt64(number))))
        let arguments = [
          "vectors.npy", "--grid", "\(columns)x\(rows)", "--edges", number % 2 == 0 ? "torus" : "open",
          "--seed", "\(number)", "--group", ["16", "32", "64"][number % 3], "--cross-steps", "\(number % 4)",
        ]
        let device = try arrange(program, arguments + ["-o", "device.npy"])
        let plain = try arrange(program, arguments + ["-o", "plain.npy", "--device", "none"])
        #expect(device["checksum"] as? String == plain["checksum"] as? String)
        #expect(try Data(contentsOf: program.file("device.npy")) == Data(contentsOf: program.file("plain.npy")))
      }
    }
  }

  @Test(.enabled(if: OpenCLDevice.exists, "no OpenCL device"))
  func threadsOfTheDriverDoNotMatter() throws {
    try Program.inTemporaryFolder { program in
      try program.writeArray("vectors.npy", NPYArray(shape: [3000, 20], bytes(60_000, seed: 1)))
      var checksums: Set<String> = []
      for threads in ["1", "2", "5"] {
        var program = program
        program.environment["POCL_MAX_PTHREAD_COUNT"] = threads
        // This process has set it to 1 when it used OpenCL itself, which doesn't go with more threads than processors.
        program.environment["POCL_AFFINITY"] = "0"
        let report = try arrange(program, ["vectors.npy", "--quality", "fast"])
        checksums.insert(try #require(report["checksum"] as? String))
      }
      let plain = try arrange(program, ["vectors.npy", "--quality", "fast", "--device", "none", "--threads", "1"])
      checksums.insert(try #require(plain["checksum"] as? String))
      #expect(checksums.count == 1)
    }
  }

  @Test func gridHoldsEachRowOnce() throws {
    try Program.inTemporaryFolder { program in
      let values = bytes(50 * 5, seed: 3).map { Float($0) * 0.1 - 7 }
      try program.writeArray("vectors.npy", NPYArray(shape: [50, 5], values))
      for scale in ["global", "column"] {
        _ = try arrange(program, ["vectors.npy", "-o", "grid.npy", "--scale", scale] + deviceArguments)
        let grid = try NPYArray(parsing: [UInt8](try Data(contentsOf: program.file("grid.npy"))), name: "grid")
        #expect(grid.integers?.filter { $0 >= 0 }.sorted() == Array(0..<50))
        #expect(grid.elementType == .int32)
      }
    }
  }

  @Test func wideVectorsAreReducedAndThatIsSaid() throws {
    try Program.inTemporaryFolder { program in
      let values = bytes(60 * 300, seed: 4).map { Float($0) }
      try program.writeArray("wide.npy", NPYArray(shape: [60, 300], values))
      let outcome = try program.run(words: ["arrange", "wide.npy"] + deviceArguments)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("300 columns reduced to 128 by PCA"))
      #expect(outcome.output.contains("60 vectors of 128 bytes"))
    }
  }

  @Test func badInputIsExplained() throws {
    try Program.inTemporaryFolder { program in
      try program.writeArray("flat.npy", NPYArray(shape: [6], [Float](repeating: 0, count: 6)))
      try program.writeArray("none.npy", NPYArray(shape: [0, 4], [Float]()))
      try program.writeArray("nan.npy", NPYArray(shape: [3, 2], [0, 1, 2, .nan, 4, 5] as [Float]))
      try program.writeArray("six.npy", NPYArray(shape: [6, 1], [0, 1, 2, 3, 4, 5] as [Float]))
      try program.write("text.npy", Array("no array".utf8))
      for (arguments, status, word) in [
        (["flat.npy"], Int32(1), "has shape [6]"), (["none.npy"], 4, "holds no vector"),
        (["nan.npy"], 1, "row 1, column 1"), (["text.npy"], 1, "text.npy"), (["missing.npy"], 1, "No such file"),
        (["."], 1, "directory"), (["six.npy", "--grid", "2x2"], 2, "don't fit"),
        (["six.npy", "--grid", "2by3"], 2, "--grid"), (["six.npy", "--group", "5"], 2, "16, 32 or 64"),
        (["six.npy", "--decay", "1"], 2, "--decay"), (["six.npy", "-o", "no/where.npy"], 1, "no/where.npy"),
        (["six.npy", "--device", "abacus"], 5, "abacus"), ([], 2, "VECTORS.npy is missing"),
      ] {
        let outcome = try program.run(words: ["arrange"] + arguments)
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
      }
    }
  }

  @Test func earlierGridsAndPinsAreKept() throws {
    try Program.inTemporaryFolder { program in
      let values = bytes(120 * 4, seed: 6)
      func items(_ name: String) throws -> [Int] {
        try #require(NPYArray(parsing: [UInt8](Data(contentsOf: program.file(name))), name: name).integers)
      }
      try program.writeArray("old.npy", NPYArray(shape: [100, 4], Array(values[..<400])))
      try program.writeArray("new.npy", NPYArray(shape: [120, 4], values))
      _ = try arrange(program, ["old.npy", "--grid", "12x10", "-o", "first.npy"] + deviceArguments)
      _ = try arrange(program, ["new.npy", "--start", "first.npy", "-o", "second.npy"] + deviceArguments)
      #expect(try items("second.npy").sorted() == Array(0..<120))

      let pins = try items("first.npy").map { Int32($0 % 2 == 0 ? $0 : -1) }
      try program.writeArray("pins.npy", NPYArray(shape: [10, 12], pins))
      _ = try arrange(program, ["new.npy", "--pin", "pins.npy", "-o", "third.npy"] + deviceArguments)
      let third = try items("third.npy")
      #expect(third.sorted() == Array(0..<120))
      #expect(zip(third, pins).allSatisfy { $1 < 0 || $0 == Int($1) })

      _ = try arrange(program, ["old.npy", "--grid", "12x10", "--holes", "end", "-o", "fourth.npy"] + deviceArguments)
      #expect(try items("fourth.npy")[100...].allSatisfy { $0 == -1 })
      let clash = try program.run("arrange", "new.npy", "--start", "first.npy", "--grid", "20x20")
      #expect(clash.status == 2)
      let small = try program.run("arrange", "new.npy", "--pin", "pins.npy", "--holes", "end")
      #expect(small.status == 2)
    }
  }

  @Test func evaluateAgreesWithArrange() throws {
    try Program.inTemporaryFolder { program in
      try program.writeArray("vectors.npy", NPYArray(shape: [90, 6], bytes(540, seed: 8)))
      let arranged = try arrange(program, ["vectors.npy", "-o", "grid.npy"] + deviceArguments)
      let outcome = try program.run("evaluate", "map", "vectors.npy", "grid.npy", "--json")
      let evaluated = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(evaluated["dpq16"] as? Double == arranged["dpq16"] as? Double)
      #expect(evaluated["checksum"] as? String == arranged["checksum"] as? String)
    }
  }
}
