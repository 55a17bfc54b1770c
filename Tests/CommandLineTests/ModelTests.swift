import Foundation
import TestSupport
import Testing

@testable import Features

/// Networks of other weights, as a user installs and uses them.
struct ModelTests {
  private struct Models: Decodable {
    struct Entry: Decodable {
      struct Model: Decodable {
        let width: Double
        let inputSize: Int
        let hasProjection: Bool
      }
      let name: String
      let model: Model?
      let problem: String?
    }
    let models: [Entry]
  }
  private struct Status: Decodable {
    let model: String?
  }

  private func index(
    _ program: Program, _ words: String..., status: Int32 = 0, location: SourceLocation = #_sourceLocation
  ) throws -> Program.Outcome {
    let outcome = try program.run(words: ["index", "pictures", "-o", "map"] + words + deviceArguments)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    return outcome
  }

  @Test func importedNetworksAreListedAndUsed() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(30, in: "pictures")
      try program.writeNetwork("narrow.safetensors")
      let installed = try program.run("model", "import", "narrow.safetensors", "--input-size", "96")
      #expect(installed.status == 0, "\(installed.errors)")
      #expect(installed.output.hasSuffix("/kiano-gpu/models/narrow.safetensors\n"))
      let list = try program.run("model", "list", "--json")
      let models = try JSONDecoder().decode(Models.self, from: Data(list.bytes)).models
      #expect(models.map(\.name) == ["kiano", "narrow"])
      #expect(models[1].model?.width == 0.35 && models[1].model?.inputSize == 96)
      #expect(models[0].model?.hasProjection == true && models[1].model?.hasProjection == false)
      let info = try program.run("model", "info", "narrow", "-v")
      #expect(info.output.contains("width 0.35") && info.output.contains("blocks.16.project"))

      #expect(try index(program, "--model", "narrow").errors.contains("learned from 30 pictures"))
      let status = try program.run("status", "map", "--json")
      #expect(try JSONDecoder().decode(Status.self, from: Data(status.bytes)).model?.hasPrefix("narrow/") == true)
      // Without a name it goes on with that of the index, and with what was learned.
      try program.makePictures(40, in: "pictures")
      #expect(try !index(program).errors.contains("learned"))
      let found = try program.run(words: ["search", "pictures/1.jpg", "--map", "map", "-n", "3"] + deviceArguments)
      #expect(found.status == 0 && found.output.split(separator: "\n").count == 3, "\(found.errors)")
      try program.makePictures(1, in: "elsewhere")
      let other = ["search", "elsewhere/0.png", "--map", "map", "--model"]
      #expect(try program.run(words: other + ["narrow"]).status == 0)
      #expect(try program.run(words: other + ["kiano"]).status == 6)
      let sorted = try program.run(words: ["sort", "pictures", "-o", "map"] + deviceArguments)
      #expect(sorted.status == 0, "\(sorted.errors)")
    }
  }

  @Test func vectorsOfDifferentNetworksAreNotMixed() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(12, in: "pictures")
      try program.writeNetwork("narrow.safetensors")
      #expect(try program.run("model", "import", "narrow.safetensors").status == 0)
      _ = try index(program)
      #expect(try index(program, "--model", "narrow", status: 6).errors.contains("--rebuild"))
      _ = try index(program, "--model", "narrow", "--rebuild")
      #expect(try index(program, "--model", "kiano", status: 6).errors.contains("can't be mixed"))
      // Other weights under the same name are another network.
      try program.writeNetwork("narrow.safetensors", seed: 1000)
      #expect(try program.run("model", "import", "narrow.safetensors").errors.contains("--force"))
      #expect(try program.run("model", "import", "narrow.safetensors", "--force").status == 0)
      #expect(try index(program, status: 6).errors.contains("can't be mixed"))
      #expect(try program.run("status", "map").output.contains("can't be mixed"))
      try FileManager.default.removeItem(at: program.dataFolder)
      #expect(try index(program, status: 6).errors.contains("model 'narrow'"))
      #expect(try program.run("status", "map").output.contains("model 'narrow', which can't be used"))
      // What is asked for by name must be what made the vectors.
      #expect(try program.run("search", "pictures/0.png", "--map", "map", "--model", "kiano").status == 6)
      #expect(try program.run("search", "--duplicates", "--map", "map", "--model", "kiano").status == 6)
      #expect(try program.run("search", "--duplicates", "--map", "map", "--model", "nothing").status == 1)
      // A picture of another place needs the network, one of the library doesn't.
      #expect(try program.run("search", "pictures/0.png", "--map", "map").status == 0)
      try program.makePictures(1, in: "elsewhere")
      #expect(try program.run("search", "elsewhere/0.png", "--map", "map").status == 6)
      _ = try index(program, "--rebuild")
      #expect(try program.run("status", "map", "-v").output.contains("vectors of: kiano/"))
    }
  }

  @Test func wrongFilesAreRefusedWithTheirTensors() throws {
    try Program.inTemporaryFolder { program in
      try program.writeNetwork("narrow.safetensors", without: "features.3.conv.1.0.weight")
      let missing = try program.run("model", "import", "narrow.safetensors")
      #expect(missing.status == 1 && missing.errors.contains("tensor features.3.conv.1.0.weight is missing"))
      try program.write("weights.h5", [0x89] + Array("HDF\r\n".utf8) + [UInt8](repeating: 0, count: 600))
      #expect(try program.run("model", "import", "weights.h5").errors.contains("HDF5"))
      try program.write("empty.npz", [])
      let empty = try program.run("model", "import", "empty.npz")
      #expect(empty.status == 1 && empty.errors.contains("empty.npz"))
      #expect(try program.run("model", "import", "nowhere.npz").errors.contains("nowhere.npz"))
      try program.writeNetwork("narrow.safetensors")
      #expect(try program.run("model", "import", "narrow.safetensors", "--name", "../x").status == 2)
      #expect(try program.run("model", "import", "narrow.safetensors", "--name", "kiano").status == 2)
      #expect(try program.run("model", "import", "narrow.safetensors", "--input-size", "100").status == 2)
      #expect(try program.run("model", "info", "nothing").errors.contains("there are: kiano"))
      #expect(try program.run("sort", "pictures", "--model", "nothing").status == 1)
    }
  }

  @Test func choicesOfAnImportReachTheNetwork() throws {
    try Program.inTemporaryFolder { program in
      try program.writeNetwork("narrow.safetensors")
      let outcome = try program.run(
        "model", "import", "narrow.safetensors", "--name", "other", "--padding", "same", "--scaling", "signed",
        "--epsilon", "0.001", "--width", "0.35", "--input-size", "224", "--ignore-extra", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains(#""naming" : "torchvision""#))
      let info = try program.run("model", "info", "other").output
      #expect(info.contains("224x224") && info.contains("tensorFlowSame") && info.contains("0.5 0.5 0.5"))
    }
  }

  @Test func aProjectionCanBeGivenOrLearned() throws {
    try Program.inTemporaryFolder { program in
      try program.writeNetwork("narrow.safetensors")
      try program.write("basis.safetensors", Projection(keepingFirstOf: 1280).encoded())
      let given = try program.run(
        "model", "import", "narrow.safetensors", "--projection", "basis.safetensors", "--json")
      #expect(given.output.contains(#""hasProjection" : true"#), "\(given.errors)")
      try program.makePictures(20, in: "pictures")
      let few = try program.run("model", "import", "narrow.safetensors", "--fit-pca", "pictures", "--force")
      #expect(few.status == 1 && few.errors.contains("20 pictures, where 1000 are needed"))
      #expect(try index(program, "--fit-pca", status: 1).errors.contains("1000 are needed"))
      let places = try program.makePictures(1000, in: "many")
      #expect(places.count == 1000)
      let learned = try program.run("model", "import", "narrow.safetensors", "--fit-pca", "many", "--force", "--json")
      #expect(learned.output.contains(#""hasProjection" : true"#), "\(learned.errors)")
      let own = try program.run(words: ["index", "many", "-o", "own", "--fit-pca"] + deviceArguments)
      #expect(own.status == 0, "\(own.errors)")
      // Once there are vectors, another projection would make them useless.
      let again = try program.run(words: ["sort", "many", "-o", "own", "--fit-pca"] + deviceArguments)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try program.run(words: ["index", "pictures", "-o", "map"] + deviceArguments).status == 0)
      #expect(try index(program, "--fit-pca", status: 1).errors.contains("--rebuild"))
      #expect(try index(program, "many", "--fit-pca", status: 1).errors.contains("--rebuild"))
    }
  }
}

/// `evaluate features`, as a user runs it.
struct EvaluateFeaturesTests {
  private struct Document: Decodable {
    struct Quality: Decodable, Equatable {
      let map: Double
      let p1: Double
      let p10: Double
    }
    let schema: Int
    let pictures: Int
    let classes: Int
    let content: Quality
    let appearance: Quality
    let mix: Quality
    let content_float: Quality
    let unreadable: Int
  }

  @Test func kindsThatLookAlikeAreFound() throws {
    try Program.inTemporaryFolder { program in
      // Two kinds: a picture and its copies, another and its copies.
      let names = try program.makePictures(3, in: "pictures")
      for (kind, name) in [("one", names[0]), ("two", names[2])] {
        let bytes = Array(try Data(contentsOf: program.file(name)))
        for copy in 0..<4 { try program.write("kinds/\(kind)/\(copy).png", bytes) }
      }
      try program.write("kinds/two/broken.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])
      try program.write("kinds/loose.png", Array(Data(contentsOf: program.file(names[0]))))
      let outcome = try program.run(words: ["evaluate", "features", "kinds", "--json"] + deviceArguments)
      #expect(outcome.status == 3, "\(outcome.errors)")
      let document = try JSONDecoder().decode(Document.self, from: Data(outcome.bytes))
      #expect(document.schema == 1 && document.pictures == 8 && document.classes == 2 && document.unreadable == 1)
      for quality in [document.content, document.appearance, document.mix, document.content_float] {
        #expect(quality == Document.Quality(map: 1, p1: 1, p10: 1))
      }
      let words = ["evaluate", "features", "kinds", "--ignore-errors", "--content", "0.8", "--framing", "squeeze"]
      let few = try program.run(words: ["evaluate", "features", "kinds", "--fit-pca", "--model", "kiano"])
      #expect(few.status == 1 && few.errors.contains("1000 are needed"))
      let text = try program.run(words: words + deviceArguments)
      #expect(text.status == 0 && text.output.contains("content, floats 1.000  1.000  1.000"), "\(text.errors)")
    }
  }

  @Test func foldersWithoutKindsAreExplained() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(3, in: "pictures")
      let outcome = try program.run("evaluate", "features", "pictures")
      #expect(outcome.status == 4 && outcome.errors.contains("one for each kind"))
      #expect(try program.run("evaluate", "features", "nowhere").status == 4)
      #expect(try program.run("evaluate", "features", "pictures", "--content", "2").status == 2)
    }
  }
}
