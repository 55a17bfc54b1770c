import Features
import Foundation
import TestSupport
import Testing

/// What the documents hold is what `docs/json.md` says.
struct JSONDocumentTests {
  private typealias Table = [String: Bool]

  /// The fields of each section, and whether they are always there.
  private static let tables: [String: [String: Bool]] = {
    let file = Locations.repository.appendingPathComponent("docs/json.md")
    var tables: [String: [String: Bool]] = [:]
    for section in (try! String(contentsOf: file, encoding: .utf8)).components(separatedBy: "\n### ").dropFirst() {
      var table: [String: Bool] = [:]
      for row in section.split(separator: "\n") where row.hasPrefix("| `") {
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        for name in cells[0].split(separator: ", ") {
          table[name.trimmingCharacters(in: ["`"])] = cells[1] == "always"
        }
      }
      tables[String(section.prefix { $0 != "\n" })] = table
    }
    return tables
  }()

  /// The paths of all fields, each with the paths of the objects that it wasn't in although it might have been.
  private func fields(_ value: Any, at path: String, into found: inout [String: Int], objects: inout [String: Int]) {
    if let list = value as? [Any] {
      for element in list { fields(element, at: path + "[]", into: &found, objects: &objects) }
    } else if let object = value as? [String: Any] {
      objects[path, default: 0] += 1
      let isTable = ["skipped", "seconds", "peaks", "features", "selfTests"].contains { path.hasSuffix($0) }
      for (key, value) in object {
        let name = (path.isEmpty ? "" : path + ".") + (isTable ? "*" : key)
        found[name, default: 0] += 1
        fields(value, at: name, into: &found, objects: &objects)
      }
    }
  }

  private func compare(_ text: some StringProtocol, with section: String, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    let table = try #require(Self.tables[section], "no section \(section)", sourceLocation: location)
    var found: [String: Int] = [:]
    var objects: [String: Int] = [:]
    fields(try JSONSerialization.jsonObject(with: Data(text.utf8)), at: "", into: &found, objects: &objects)
    let strange = Set(found.keys).subtracting(table.keys)
    #expect(strange.isEmpty, "\(section) doesn't tell of \(strange.sorted())", sourceLocation: location)
    for (name, isAlways) in table where isAlways {
      let parent = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? ""
      #expect(
        found[name, default: 0] == objects[parent, default: 0], "\(section): \(name) isn't always there",
        sourceLocation: location)
    }
  }

  @Test func documentsOfLibraries() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(12, in: "pictures")
      try program.write("pictures/copy.png", Array(Data(contentsOf: program.file(names[4]))))
      try program.write("pictures/film.mp4", [0])
      try program.write("pictures/broken.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      func check(_ section: String, _ words: [String], _ status: Int32 = 0) throws {
        let device = words[0] == "prune" ? [] : deviceArguments
        let outcome = try program.run(words: words + ["--json"] + device)
        #expect(outcome.status == status, "\(words): \(outcome.errors)")
        try compare(outcome.output, with: section)
      }
      try check("sort --dry-run", ["sort", "pictures", "-o", "map", "--dry-run"])
      try check("sort --dry-run", ["index", "pictures", "-o", "map", "--dry-run"])
      try check("index", ["index", "pictures", "-o", "map"], 3)
      try check("sort", ["sort", "pictures", "-o", "map"], 3)
      try check("sort", ["sort", "pictures", "-o", "map"], 3)
      try check("search", ["search", "--map", "map", names[0], "pictures/broken.jpg"], 3)
      try check("search", ["search", "--map", "map", "--text", "png"])
      try check("search --duplicates", ["search", "--map", "map", "--duplicates"])
      try check("status", ["status", "map"])
      try check("status", ["status", "map", "--no-scan"])
      try check("prune", ["prune", "map"])
      // Names that aren't UTF-8.
      let strange = try Shell.bash(
        """
        set -e
        mkdir other; cp pictures/copy.png $'other/\\xff.png'; cp pictures/broken.jpg $'other/\\xfe.jpg'
        "$KIANO" sort other -o $'map\\xff' --ignore-errors --json --device none
        "$KIANO" index other --index $'index\\xff' --ignore-errors --json --device none
        "$KIANO" search --map $'map\\xff' --text png --json --device none
        """, in: program.folder)
      #expect(strange.status == 0, "\(strange.errors)")
      let documents = strange.output.components(separatedBy: "\n}\n").dropLast().map { $0 + "}" }
      for (document, section) in zip(documents, ["sort", "index", "search"]) {
        try compare(document, with: section)
        #expect(document.contains("Base64"), "\(section)")
      }
    }
  }

  @Test func documentsOfTheOthers() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(4, in: "kinds/one")
      try program.makePictures(4, in: "kinds/two")
      try program.writeNetwork("narrow.safetensors")
      try program.writeArray(
        "vectors.npy", NPYArray(shape: [64, 3], (0..<192).map { UInt8($0 * 37 % 256) }))
      for (section, words) in [
        ("arrange", ["arrange", "vectors.npy", "-o", "grid.npy", "--json"] + deviceArguments),
        ("arrange", ["arrange", "vectors.npy", "--no-quality", "--json"] + deviceArguments),
        ("evaluate map", ["evaluate", "map", "vectors.npy", "grid.npy", "--json"] + deviceArguments),
        ("evaluate features", ["evaluate", "features", "kinds", "--json"] + deviceArguments),
        ("model list", ["model", "list", "--json"]), ("model info", ["model", "info", "kiano", "--json"]),
        ("model import", ["model", "import", "narrow.safetensors", "--json"] + deviceArguments),
        ("model list", ["model", "list", "--json"]), ("model info", ["model", "info", "narrow", "--json"]),
        ("bench", ["bench", "--quick", "--json", "--device", "none"]),
        ("formats", ["formats", "--json"]), ("devices", ["devices", "--json"]),
        ("config --show", ["config", "--show", "--json"]),
      ] {
        let outcome = try program.run(words: words)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        try compare(outcome.output, with: section)
      }
    }
  }

  @Test func linesAreDocumentsOfTheirOwn() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(6, in: "pictures")
      try program.write("pictures/copy.png", Array(Data(contentsOf: program.file(names[4]))))
      try program.write("pictures/broken.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      func types(_ words: [String], _ status: Int32) throws -> [String] {
        let outcome = try program.run(words: words + ["--json=lines", "--progress", "json"] + deviceArguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        for line in outcome.errors.split(separator: "\n") where line.hasPrefix("{") {
          try compare(line, with: "line progress")
        }
        #expect(outcome.errors.contains("\"type\":\"progress\"") || words[0] == "search")
        return try outcome.output.split(separator: "\n").map { line in
          let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
          let type = try #require(object["type"] as? String)
          if type != "result" {
            try compare(line, with: "line \(type)")
          } else {
            #expect(object["schema"] as? Int == 1)
          }
          return type
        }
      }
      #expect(try types(["sort", "pictures", "-o", "map"], 3) == ["unreadable", "result"])
      #expect(
        try types(["search", "--map", "map", names[0], "-n", "3"], 0) == ["match", "match", "match", "result"])
      #expect(try types(["search", "--map", "map", "--duplicates"], 0) == ["group", "result"])
    }
  }
}
