import Foundation
import TestSupport
import Testing

@testable import kiano_gpu

/// What the program does with folders that people have, as they would run it.
@Suite("Ingestion", .enabled(if: Locations.program != nil, "the program wasn't built"))
struct IngestionTests {
  private struct Outcome {
    let code: Int32
    let output: String
    let complaints: String

    /// A number of the JSON document.
    func number(_ key: String) -> Int? {
      let document = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
      return document?[key] as? Int
    }
  }

  /// Runs a program, for half a minute at most.
  private func run(_ program: String, _ arguments: [String], input: URL? = nil) throws -> Outcome {
    try Locations.withTemporaryFolder { folder in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      let files = ["out", "err"].map { folder.appendingPathComponent($0) }
      for file in files { try Data().write(to: file) }
      process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: files[0])
      process.standardError = try FileHandle(forWritingTo: files[1])
      try process.run()
      let watchdog = DispatchWorkItem { process.terminate() }
      DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: watchdog)
      process.waitUntilExit()
      watchdog.cancel()
      if program == Locations.program { InvocationRecord.add(arguments, status: process.terminationStatus) }
      let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
      return Outcome(code: process.terminationStatus, output: texts[0], complaints: texts[1])
    }
  }

  private func sort(_ arguments: String..., map: URL, input: URL? = nil) throws -> Outcome {
    try run(
      Locations.program!, ["sort"] + arguments + ["-o", map.path, "--device", "none", "--json", "--force"],
      input: input)
  }

  private func picture() throws -> Data {
    try Data(contentsOf: Locations.repository.appendingPathComponent("Tests/Data/orient_6.jpg"))
  }

  @Test("formats says what is read and with what", arguments: [[], ["--json"]])
  func formats(arguments: [String]) throws {
    let outcome = try run(Locations.program!, ["formats"] + arguments)
    #expect(outcome.code == 0)
    for word in ["JPEG", "libpng 1.", "WebP", "AVIF", "Little CMS", "jxl"] {
      #expect(outcome.output.contains(word), "\(word)")
    }
  }

  @Test("takes names of any bytes")
  func oddNames() throws {
    try Locations.withTemporaryFolder { folder in
      let photos = folder.appendingPathComponent("photos")
      try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
      let picture = try picture()
      // All bytes that a name may have, four a name, and what else gives trouble.
      let bytes = (1...255).map { UInt8($0) }.filter { $0 != UInt8(ascii: "/") }
      var names = stride(from: 0, to: bytes.count, by: 6).map { [0x61] + Array(bytes[$0..<min($0 + 6, bytes.count)]) }
      names += ["-rf", "--help", "a b", "a\\nb", "é", "e\u{301}", "\u{202E}gpj", String(repeating: "x", count: 240)]
        .map { Array($0.utf8) }
      for name in names {
        let path = Array(photos.path.utf8) + [UInt8(ascii: "/")] + name + Array(".jpg".utf8) + [0]
        let file = path.withUnsafeBufferPointer {
          open(UnsafeRawPointer($0.baseAddress!).assumingMemoryBound(to: CChar.self), O_WRONLY | O_CREAT, 0o600)
        }
        try #require(file >= 0)
        _ = picture.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
      }
      #expect(names.count >= 50)
      let outcome = try sort(photos.path, map: folder.appendingPathComponent("map"))
      #expect(outcome.code == 0)
      #expect(outcome.number("pictures") == names.count)
      #expect(outcome.number("unreadable") == 0)
    }
  }

  @Test("patterns, depth and lists say what is taken")
  func selection() throws {
    try Locations.withTemporaryFolder { folder in
      let photos = folder.appendingPathComponent("photos")
      let picture = try picture()
      for name in ["a.jpg", "b.jpg", "in/c.jpg", "in/deep/d.jpg", ".hidden/e.jpg", "f"] {
        let file = photos.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try picture.write(to: file)
      }
      let map = folder.appendingPathComponent("map")
      func count(_ arguments: String...) throws -> Int? {
        try run(
          Locations.program!,
          ["sort", photos.path, "-o", map.path, "--device", "none", "--json", "--force"] + arguments
        ).number("pictures")
      }
      #expect(try count() == 4)
      #expect(try count("--exclude", "in/") == 2)
      #expect(try count("--exclude", "*.jpg", "--include", "a.jpg", "--include", "d.*") == 2)
      #expect(try count("--max-depth", "2", "--no-isolate") == 3)
      #expect(try count("--hidden", "--any-extension", "--fast") == 6)
      let patterns = folder.appendingPathComponent("patterns")
      try Data("# all but one\n*\n!/a.jpg\n".utf8).write(to: patterns)
      #expect(try count("--exclude-from", patterns.path) == 1)

      let list = folder.appendingPathComponent("list")
      try Data("\(photos.path)/a.jpg\0\(photos.path)/missing.jpg\0".utf8).write(to: list)
      let outcome = try sort("--files-from", "-", "-0", map: map, input: list)
      #expect(outcome.code == 3)
      #expect(outcome.number("pictures") == 1)
      #expect(outcome.number("unreadable") == 1)
    }
  }

  @Test(
    "what can't be is refused",
    arguments: [
      ["--isolate", "--no-isolate"], ["-0"], ["--max-depth", "0"], ["--memory", "1k"], ["--exclude", "[a"],
      ["--timeout", "-1"], ["--max-pixels", "many"],
    ])
  func usage(arguments: [String]) throws {
    #expect(try run(Locations.program!, ["sort", "/nowhere"] + arguments).code == 2)
  }

  @Test("quantities are read as people write them")
  func quantities() {
    func quantity(_ text: String) -> Quantity? { Quantity(argument: Array(text.utf8)) }
    #expect(quantity("4G")?.binary == 4 << 30)
    #expect(quantity("1.5MiB")?.binary == 3 << 19)
    #expect(quantity("600M")?.decimal == 600_000_000)
    #expect(quantity("12")?.decimal == 12)
    for text in ["", "G", "-1", "nan", "1X", "4GG"] { #expect(quantity(text) == nil, "\(text)") }
  }

  @Test("100,000 quantities of random characters are none or a number that fits")
  func quantitiesAtRandom() {
    var random = SeededGenerator(state: 31)
    let characters = Array("0123456789.eExX+-_ kKmMgGtTiIbBnaf\u{130}".utf8) + [0xFF]
    for _ in 0..<100_000 {
      let text = (0..<Int.random(in: 0...10, using: &random)).map { _ in characters.randomElement(using: &random)! }
      guard let quantity = Quantity(argument: text) else { continue }
      #expect((0...1 << 62).contains(quantity.binary) && (0...1 << 62).contains(quantity.decimal))
    }
  }

  /// The same numbers at each run (Steele, Lea, Flood 2014).
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test(
    "the whole corpus takes less than a gigabyte, and one line for each bad file",
    .enabled(if: Locations.shared != nil, "no corpus"))
  func corpus() throws {
    try Locations.withTemporaryFolder { folder in
      let corpus = Locations.shared!.appendingPathComponent("corpus/gen").path
      // Within the program, so that its own memory is all.
      let outcome = try sort(corpus, "--no-isolate", "--any-extension", map: folder.appendingPathComponent("map"))
      #expect(outcome.code == 3)
      #expect(try #require(outcome.number("peakMemoryBytes")) < 1 << 30)
      let lines = outcome.complaints.split(separator: "\n").filter { $0.hasPrefix("unreadable: ") }
      #expect(lines.count == outcome.number("unreadable"))
    }
  }

  @Test(
    "loops, pipes, sockets, unreadable and sparse files do no harm",
    .enabled(if: Locations.shared != nil, "no corpus"))
  func hostileFolders() throws {
    try Locations.withTemporaryFolder { folder in
      let corpus = Locations.shared!.appendingPathComponent("corpus")
      let files = folder.appendingPathComponent("files")
      #expect(try run("/bin/bash", [corpus.appendingPathComponent("mkfs.sh").path, corpus.path, files.path]).code == 0)
      defer { _ = try? run("/bin/chmod", ["-R", "u+rwx", files.path]) }
      var command = [Locations.program!, "sort", files.path, "-o", "\(folder.path)/map", "--device", "none", "--json"]
      // Root reads everything; nobody doesn't.
      if getuid() == 0 {
        chmod(folder.path, 0o777)
        command = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
      }
      for links in [[], ["--follow"]] {
        // With an index of its own: what is known to be broken isn't said again.
        let index = ["--index", "\(folder.path)/index\(links.count)"]
        let outcome = try run(command[0], Array(command.dropFirst()) + links + index)
        #expect(outcome.code == 3, "\(outcome.complaints)")
        let unreadable = outcome.complaints.split(separator: "\n").filter { $0.hasPrefix("unreadable:") }
        func isNamed(_ name: String) -> Bool { unreadable.contains { $0.contains(name) } }
        #expect(isNamed("unreadable/dir") && isNamed("unreadable/nope.jpg"))
        #expect(isNamed("sparse/huge.jpg: is not a picture; it looks like zeros"))
        #expect(!isNamed("special/") && !isNamed("loop/") && !isNamed("links/"))
        // 54 of sets/n*, 100 equal ones, 3 of one name, and one each in loop, unreadable, special, sparse; real.jpg and
        // its hard link are two files, or one where links are followed.
        #expect(outcome.number("pictures") == (links.isEmpty ? 163 : 162))
      }
    }
  }
}
