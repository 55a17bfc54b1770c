import Foundation
import Testing

/// Settings, from a file and from the environment.
struct SettingsTests {
  private struct Document: Decodable {
    struct Entry: Decodable {
      let name: String
      let value: String?
      let origin: String
    }
    let file: String
    let settings: [Entry]

    func entry(_ name: String) -> Entry? { settings.first { $0.name == name } }
  }

  private func show(_ program: Program) throws -> Document {
    let outcome = try program.run("config", "--show", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Document.self, from: Data(outcome.bytes))
  }

  @Test func optionGoesBeforeVariableBeforeFile() throws {
    try Program.inTemporaryFolder { program in
      #expect(try show(program).settings.allSatisfy { $0.origin == "default" })
      try program.write(".config/kiano-gpu/config", Array("# mine\ndevice = nosuch\n\nthreads=1\nmap = ~/m\n".utf8))
      var other = program
      other.environment = ["KIANO_DEVICE": "none", "HOME": program.folder.path, "KIANO_TEST_DEVICE": "none"]
      let file = try show(program)
      #expect(file.file == program.file(".config/kiano-gpu/config").path)
      #expect(file.entry("device")?.value == "nosuch" && file.entry("device")?.origin == "\(file.file):2")
      let both = try show(other)
      #expect(both.entry("device")?.value == "none" && both.entry("device")?.origin == "KIANO_DEVICE")
      #expect(both.entry("threads")?.value == "1" && both.entry("map")?.value == program.file("m").path)

      // They hold when verbs run.
      try program.makePictures(4, in: "pictures")
      let byFile = try program.run("index", "pictures", "-o", "map")
      #expect(byFile.status == 5 && byFile.errors.contains("nosuch"), "\(byFile.errors)")
      #expect(try other.run("sort", "pictures").status == 0)
      #expect(FileManager.default.fileExists(atPath: program.file("m/index.html").path))
      #expect(try other.run("search", "pictures/0.png", "-q").status == 0 && other.run("status").status == 0)
      #expect(try other.run("sort", "pictures", "--device", "nosuch").status == 5)
      #expect(try program.run("sort", "pictures", "--device", "none", "-o", "map").status == 0)
    }
  }

  @Test func mistakesNameFileAndLine() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(2, in: "pictures")
      for (text, words) in [
        ("device = cpu\ndevcie = gpu\n", ["config:2", "devcie", "did you mean device?"]),
        ("color = sometimes", ["config:1", "auto, always, never"]), ("\n\nnonsense\n", ["config:3", "name = value"]),
        ("threads = 9999", ["--threads", "config:1 sets threads to 9999"]),
      ] {
        try program.write(".config/kiano-gpu/config", Array(text.utf8))
        let outcome = try program.run("sort", "pictures")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
        // Help can be had nonetheless.
        #expect(try program.run("sort", "--help").status == 0 && program.run("help", "sort").status == 0)
      }
      try program.write(".config/kiano-gpu/config", [])
      var other = program
      other.environment = ["KIANO_DEVCIE": "cpu", "KIANO_QUALITY": "bad"]
      let outcome = try other.run("sort", "pictures")
      #expect(outcome.status == 2 && outcome.errors.contains("did you mean KIANO_DEVICE?"))
      #expect(outcome.errors.contains("KIANO_QUALITY: quality can't be \"bad\""), "\(outcome.errors)")
    }
  }

  @Test func templateIsAFileOfSettings() throws {
    try Program.inTemporaryFolder { program in
      let template = try program.run("config")
      try program.write(".config/kiano-gpu/config", template.bytes)
      #expect(try show(program).settings.allSatisfy { $0.origin == "default" })
      // With its signs taken away, each line sets what holds by default.
      let set = template.output.split(separator: "\n").filter { $0.contains(" = ") }.map { $0.dropFirst() }
        .filter { line in ["device", "threads", "edges", "color", "timeout"].contains { line.hasPrefix($0 + " =") } }
      try program.write(".config/kiano-gpu/config", Array(set.joined(separator: "\n").utf8))
      #expect(set.count == 5)
      #expect(try show(program).settings.filter { $0.origin != "default" }.count == 5)
    }
  }
}
