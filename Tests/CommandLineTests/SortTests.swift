import Features
import Foundation
import Imaging
import TestSupport
import Testing

/// Without a device where the tests are told that there is none.
let deviceArguments = ["--device", ProcessInfo.processInfo.environment["KIANO_TEST_DEVICE"] ?? "auto"]

struct SortTests {
  @Test func everyPictureIsOnTheMapOnce() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(23, in: "pictures/in folders")
      let outcome = try program.run("sort", "pictures", "-o", "map", "-v", deviceArguments[0], deviceArguments[1])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == program.file("map/index.html").path + "\n")
      #expect(outcome.errors.contains("23 pictures") && outcome.errors.contains("peak memory"))
      let map = try MapJSON(program.file("map"))
      #expect(map.cells.filter { $0 >= 0 }.sorted() == Array(0..<23))
      #expect(Set(map.pictures.map(\.path)) == Set(names.map { program.file($0).path }))
      #expect(map.grid.columns * map.grid.rows == map.cells.count && map.grid.torus)
      for file in ["index.html", "map.png", "failures.tsv"] {
        #expect(try Data(contentsOf: program.file("map/\(file)")).count > 0)
      }
    }
  }

  @Test func sameCommandMakesTheSameMap() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(30, in: "pictures")
      func checksum(_ arguments: String...) throws -> String {
        let words = ["sort", "pictures", "-o", "map-\(UUID().uuidString)"] + deviceArguments + arguments
        let outcome = try program.run(words: words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try MapJSON(program.file(words[3])).checksum
      }
      let first = try checksum()
      #expect(try checksum() == first)
      #expect(try checksum("-j", "1") == first)
      #expect(try checksum("--no-isolate") == first)
      #expect(try checksum("--seed", "1") != first)
    }
  }

  @Test func brokenFilesAreListedAndTheRestIsSorted() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(6, in: "pictures")
      try program.write("pictures/garbage.jpg", (0..<2000).map { UInt8(truncatingIfNeeded: $0 * 31) })
      try program.write("pictures/empty.png", [])
      try program.write("pictures/notes.txt", Array("not a picture".utf8))
      let outcome = try program.run(words: ["sort", "pictures", "-o", "map"] + deviceArguments)
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("garbage.jpg") && outcome.errors.contains("empty.png"))
      #expect(!outcome.errors.contains("notes.txt"))
      #expect(outcome.errors.contains("2 files unreadable: see "))
      let table = try String(contentsOf: program.file("map/failures.tsv"), encoding: .utf8)
      #expect(table.contains("garbage.jpg") && table.contains("empty.png"))
      let map = try MapJSON(program.file("map"))
      #expect(map.pictures.count == 6 && map.failures == 2)
      let forgiven = try program.run(
        words: ["sort", "pictures", "-o", "map", "--ignore-errors", "-q"] + deviceArguments)
      #expect(forgiven.status == 0)
      // The broken one is remembered; the empty one might be in the middle of being copied.
      #expect(!forgiven.errors.contains("garbage.jpg") && forgiven.errors.contains("empty.png"))
      #expect(!forgiven.errors.contains("quality"))
    }
  }

  @Test func nothingUsableIsSaidAndWritesNothing() throws {
    try Program.inTemporaryFolder { program in
      try FileManager.default.createDirectory(at: program.file("empty"), withIntermediateDirectories: true)
      try program.write("texts/a.txt", Array("text".utf8))
      try program.write("garbage/a.jpg", Array("garbage that is no JPEG".utf8))
      for (folder, word) in [
        ("empty", "there is no picture in empty"), ("texts", "there is no picture in texts"),
        ("missing", "No such file or directory"), ("garbage", "be read as a picture"),
      ] {
        let outcome = try program.run(words: ["sort", folder, "-o", "map"] + deviceArguments)
        #expect(outcome.status == 4, "\(folder)")
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
      #expect(!FileManager.default.fileExists(atPath: program.file("map").path))
    }
  }

  @Test func foreignFoldersAndUnwritablePlacesAreLeftAlone() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(3, in: "pictures")
      try program.write("mine/letter.txt", Array("keep".utf8))
      let foreign = try program.run(words: ["sort", "pictures", "-o", "mine"] + deviceArguments)
      #expect(foreign.status == 1 && foreign.errors.contains("--force"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.file("mine").path) == ["letter.txt"])
      let unwritable = try program.run(words: ["sort", "pictures", "-o", "/proc/map"] + deviceArguments)
      #expect(unwritable.status == 1 && unwritable.errors.contains("can't be written"))
      let parent = try program.run(words: ["sort", "pictures", "-o", "no/such/place"] + deviceArguments)
      #expect(parent.status == 1 && parent.errors.contains("doesn't exist"))
    }
  }

  @Test func aMapIsReplacedByTheNext() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(4, in: "pictures")
      #expect(try program.run(words: ["sort", "pictures"] + deviceArguments).status == 0)
      #expect(try MapJSON(program.file("kiano-map")).pictures.count == 4)
      try program.makePictures(9, in: "pictures")
      // The map lies beside the pictures; its own sheets are not taken for pictures.
      #expect(try program.run(words: ["sort", "."] + deviceArguments).status == 0)
      #expect(try MapJSON(program.file("kiano-map")).pictures.count == 9)
    }
  }

  @Test(arguments: [1, 2, 3, 4])
  func fewPicturesMakeAMapToo(_ count: Int) throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(count, in: "pictures")
      let outcome = try program.run(words: ["sort", "pictures", "--edges", "open", "--json"] + deviceArguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      #expect(document?["pictures"] as? Int == count)
      #expect(document?["schema"] as? Int == 1)
    }
  }

  @Test func interruptionEndsWith130AndSavesWhatWasRead() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(60, in: "pictures")
      // The same files under many names, so that there is something to interrupt.
      for copy in 0..<400 {
        let folder = program.file("many/\(copy)")
        try FileManager.default.createDirectory(at: program.file("many"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: program.file("pictures"), to: folder)
      }
      let outcome = try program.run(words: ["sort", "many", "-o", "map"] + deviceArguments, interruptAfter: 0.5)
      #expect(outcome.status == 130, "\(outcome.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
      #expect(Set(left).subtracting(["map"]) == ["pictures", "many"])
      if left.contains("map") {
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.file("map").path) == ["index.sqlite"])
      }
    }
  }
}
