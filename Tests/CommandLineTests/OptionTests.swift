import Features
import Foundation
import TestSupport
import Testing

@testable import Arguments
@testable import kiano_gpu

/// Options that other tests have no reason to use, each with what it changes.
struct OptionTests {
  private func object(_ outcome: Program.Outcome) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(outcome.bytes)) as? [String: Any], "\(outcome.errors)")
  }

  @Test("files are chosen by the options that say so", arguments: ["sort", "index"])
  func choosing(verb: String) throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(4, in: "pictures")
      try program.makePictures(2, in: "pictures/deep/deeper")
      try program.makePictures(1, in: "pictures/.hidden")
      try program.makePictures(3, in: "elsewhere")
      let copy = Array(try Data(contentsOf: program.file("pictures/0.png")))
      try program.write("pictures/nameless", copy)
      try FileManager.default.createSymbolicLink(
        atPath: program.file("pictures/link").path, withDestinationPath: program.file("elsewhere").path)
      try program.write("patterns", Array("*.jpg\n".utf8))
      try program.write("list", Array("pictures/0.png\0pictures/1.jpg\0".utf8))
      var number = 0
      func count(_ words: String..., folder: String? = "pictures") throws -> Int? {
        number += 1
        let words = [verb] + (folder.map { [$0] } ?? []) + ["-o", "map\(number)", "--device", "none", "--json"] + words
        let outcome = try program.run(words: words)
        #expect(outcome.status == 0 || outcome.status == 3, "\(words): \(outcome.errors)")
        return (try object(outcome)["library"] as? [String: Any])?["pictures"] as? Int
      }
      #expect(try count() == 6)
      #expect(try count("--exclude", "*.jpg") == 3)
      #expect(try count("--exclude", "*.jpg", "--include", "1.jpg") == 5)
      #expect(try count("--exclude-from", "patterns") == 3)
      #expect(try count("--max-depth", "1") == 4)
      #expect(try count("--hidden") == 7)
      #expect(try count("--any-extension") == 7)
      #expect(try count("--follow") == 9)
      #expect(try count("--one-file-system") == 6)
      #expect(try count("--files-from", "list", "--null", folder: nil) == 2)
      #expect(try count("--max-pixels", "10M", "--memory", "1G", "--timeout", "30", "--fast", "--isolate") == 6)
      #expect(try count("--no-isolate", "--threads", "1") == 6)
      #expect(try count("--index", "own.sqlite") == 6)
      #expect(FileManager.default.fileExists(atPath: program.file("own.sqlite").path))
      #expect(try count("--index", "own.sqlite", "--rebuild", "--accept-missing", "--ignore-errors") == 6)
      let preview = try object(
        program.run(verb, "pictures", "--output", "none", "--dry-run", "--json", "--device", "none"))
      #expect(preview["toRead"] as? Int == 6)
      #expect(!FileManager.default.fileExists(atPath: program.file("none").path))
      let refused = try program.run(verb, "pictures", "-o", "small", "--max-pixels", "100", "--device", "none")
      #expect(refused.status == (verb == "sort" ? 4 : 3) && refused.errors.contains("pixels"), "\(refused.errors)")
    }
  }

  @Test func mapsAreMadeAsAskedFor() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(24, in: "pictures")
      let device = ["--device", "none"]
      let outcome = try program.run(
        words: [
          "sort", "pictures", "--output", "map", "--sheet", "200", "--sheet-format", "jpeg", "--export", "csv",
          "--export",
          "list0", "--links", "links", "--order", "hilbert", "--leaflet", "/usr/share/javascript/leaflet", "--edges",
          "open", "--grid", "7x4", "--holes", "end", "--content", "0.3", "--seed", "2", "--fresh", "--json",
        ] + device)
      #expect(outcome.status == 0, "\(outcome.errors)")
      for name in ["map/map.jpg", "map/order.csv", "map/order.list0"] {
        #expect(FileManager.default.fileExists(atPath: program.file(name).path), "\(name)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.file("links").path).count == 25)
      let map = try MapJSON(program.file("map"))
      #expect(
        map.grid.columns == 7 && map.grid.rows == 4 && !map.grid.torus && map.cells.suffix(4) == [-1, -1, -1, -1])
      let list = try Data(contentsOf: program.file("map/order.list0")).split(separator: 0)
      #expect(list.count == 24)

      // Each way of sorting gives a map of its own, and the same one again.
      var checksums: [String] = []
      for words in [
        ["--quality", "fast"], ["--quality", "best", "--aspect", "3"], ["--group", "32"], ["--passes", "5"],
        ["--decay", "0.8"], ["--cross-steps", "3"],
      ] {
        let words = ["sort", "pictures", "-o", "map\(checksums.count)", "--index", "index", "--json"] + words + device
        let sorted = try program.run(words: words)
        #expect(sorted.status == 0, "\(sorted.errors)")
        checksums.append(try MapJSON(program.file(words[3])).checksum)
        #expect(try program.run(words: words + ["--fresh"]).status == 0)
        #expect(try MapJSON(program.file(words[3])).checksum == checksums.last)
      }
      #expect(Set(checksums).count > 3)

      try program.write("mine/letter.txt", [0x61])
      #expect(try program.run(words: ["sort", "pictures", "-o", "mine"] + device).status == 1)
      #expect(try program.run(words: ["sort", "pictures", "-o", "mine", "--force"] + device).status == 0)
      #expect(try Data(contentsOf: program.file("mine/letter.txt")) == Data([0x61]))
      // Links of somebody else.
      try FileManager.default.removeItem(at: program.file("links/.kiano-links"))
      let foreign = try program.run(words: ["sort", "pictures", "-o", "map", "--fresh", "--links", "links"] + device)
      #expect(foreign.status == 1 && foreign.errors.contains("isn't a folder of links that kiano-gpu made"))
    }
  }

  @Test func vectorsAreSortedAsAskedFor() throws {
    try Program.inTemporaryFolder { program in
      try program.writeArray("v.npy", NPYArray(shape: [60, 3], (0..<180).map { UInt8($0 * 73 % 251) }))
      let device = ["--device", "none", "--threads", "1"]
      let first = try object(program.run(words: ["arrange", "v.npy", "--output", "g.npy", "--json"] + device))
      for words in [
        ["--aspect", "4"], ["--holes", "end"], ["--quality", "best"], ["--group", "16"], ["--passes", "7"],
        ["--decay", "0.7"], ["--cross-steps", "9"], ["--seed", "5"], ["--edges", "open"], ["--grid", "12x5"],
      ] {
        let other = try object(program.run(words: ["arrange", "v.npy", "--json"] + words + device))
        #expect(other["checksum"] as? String != first["checksum"] as? String, "\(words)")
      }
      let pinned = try object(
        program.run(words: ["arrange", "v.npy", "--pin", "g.npy", "--scale", "column", "--json"] + device))
      #expect(pinned["checksum"] as? String == first["checksum"] as? String)
      let started = try program.run(words: ["arrange", "v.npy", "--start", "g.npy", "--no-quality", "-q"] + device)
      #expect(started.status == 0 && !started.output.contains("DPQ16"))
      let sampled = try program.run(
        words: ["evaluate", "map", "v.npy", "g.npy", "--rows", "20", "--edges", "torus", "--scale", "global"] + device)
      #expect(sampled.status == 0 && sampled.output.contains("DPQ16"))
      #expect(try program.run("evaluate", "map", "v.npy", "g.npy", "--rows", "0").status == 2)
    }
  }

  @Test func librariesAreAskedInEveryWay() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(9, in: "pictures")
      let device = ["--device", "none", "--threads", "2"]
      #expect(try program.run(words: ["index", "pictures", "--index", "i", "--output", "map"] + device).status == 0)
      let ask = { (words: [String]) in try program.run(words: ["search", "--index", "i"] + words + device) }
      #expect(try ask([names[0], "--count", "3"]).output.split(separator: "\n").count == 3)
      #expect(try ask(["--text", "PNG", "--null"]).bytes.split(separator: 0).count == 5)
      #expect(try ask([names[0], "--threshold", "0", "--content", "0.2"]).output.isEmpty)
      #expect(try ask(["--duplicates", "--null", "--threshold", "0"]).status == 0)
      // Without a desktop there is no viewer: the result is printed, and the exit code says that it wasn't opened.
      var bare = program
      bare.environment = ["PATH": "/nonexistent"]
      let opened = try bare.run(words: ["search", "--index", "i", names[0], "-n", "1", "--open"] + device)
      #expect(opened.status == 1 && !opened.output.isEmpty && opened.errors.contains("xdg-open"))
      let status = try program.run(words: ["status", "--index", "i", "--no-scan", "--verify"] + device)
      #expect(status.output.contains("verified") && !status.output.contains("the next run"))
      try FileManager.default.removeItem(at: program.file(names[0]))
      #expect(try program.run(words: ["index", "pictures", "--index", "i", "--exclude", "*.jpg"] + device).status == 0)
      let prune = { (words: String...) in try program.run(words: ["prune", "--index", "i"] + words).output }
      #expect(try prune("--dry-run").contains("1 picture would be forgotten"))
      #expect(try prune("--left-out").contains("5 pictures forgotten"))
      #expect(try prune("--json").contains("\"pictures\" : 0"))
    }
  }

  @Test func everyVerbAnswersInTheSameWays() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(5, in: "pictures")
      try program.writeArray("v.npy", NPYArray(shape: [4, 3], (0..<12).map { UInt8($0 * 20) }))
      try program.writeArray("g.npy", NPYArray(shape: [2, 2], [0, 1, 2, 3] as [Int32]))
      try program.writeNetwork("narrow.safetensors")
      try program.makePictures(3, in: "kinds/one")
      try program.makePictures(3, in: "kinds/two")
      let device = ["--device", "none", "--threads", "1"]
      #expect(try program.run(words: ["sort", "pictures", "-o", "map"] + device).status == 0)
      let calls: [[String]] = [
        ["sort", "pictures", "-o", "map"] + device, ["index", "pictures", "-o", "map"] + device,
        ["search", names[0], "--map", "map"] + device, ["status", "map"] + device, ["prune", "map"],
        ["arrange", "v.npy"] + device, ["evaluate", "features", "kinds"] + device,
        ["model", "list"], ["model", "info", "kiano"],
        ["model", "import", "narrow.safetensors", "--force"] + device,
        ["bench", "--quick", "--only", "projection"] + device, ["evaluate", "map", "v.npy", "g.npy"] + device,
        ["devices"], ["formats"],
        ["config", "--show"],
      ]
      for node in DeclaredFlagsTests.nodes where node.type is any Verb.Type {
        let verbs = Array(node.path.dropFirst())
        let call = try #require(calls.first { $0.starts(with: verbs) }, "no call of \(node.line)")
        let plain = try program.run(words: call)
        #expect(plain.status == 0 && !plain.output.isEmpty, "\(call): \(plain.errors)")
        let quiet = try program.run(words: call + ["--quiet", "--progress", "never"])
        #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(call): \(quiet.errors)")
        let loud = try program.run(words: call + ["--verbose", "-v", "--color", "never"])
        #expect(loud.status == 0 && loud.output.count + loud.errors.count >= plain.output.count + plain.errors.count)
        #expect(try object(program.run(words: call + ["--json"]))["schema"] as? Int == 1)
        let lines = try program.run(words: call + ["--json=lines"]).output.split(separator: "\n")
        #expect(lines.last?.contains("\"type\":\"result\"") == true, "\(call)")
        // A reader that leaves early is no failure.
        let quoted = call.map { "'\($0)'" }.joined(separator: " ")
        let pipe = try Shell.bash("\"$KIANO\" \(quoted) | true; echo ${PIPESTATUS[0]}", in: program.folder)
        #expect(pipe.output == "0\n" && !pipe.errors.contains("kiano-gpu:"), "\(call): \(pipe.errors)")
      }
      for words in [["--version"], ["config"], ["help", "--man"], ["completion", "fish"], ["evaluate", "-h"]] {
        #expect(try program.run(words: words).status == 0, "\(words)")
      }
      let version = try program.run("--version").output
      for word in ["libjpeg", "libpng", "libwebp", "libheif", "OpenCL loader: "] {
        #expect(version.contains(word), "\(version)")
      }
    }
  }
}
