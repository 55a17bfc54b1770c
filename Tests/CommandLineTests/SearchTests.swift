import Foundation
import Imaging
import TestSupport
import Testing

/// Searches, as a user runs them.
struct SearchTests {
  private struct Match: Decodable, Equatable {
    let path: String
    let pathBase64: String?
    let distance: Double?
  }
  private struct Document: Decodable {
    let schema: Int
    let matches: [Match]
    let pictures: Int
    let unreadable: [Failure]
  }
  private struct Failure: Decodable {
    let path: String
    let reason: String
  }
  private struct Groups: Decodable {
    struct Member: Decodable {
      let path: String
      let distance: Double
      let copy: Bool
    }
    let schema: Int
    let groups: [[Member]]
  }

  private func index(_ program: Program, _ folder: String = "pictures") throws {
    let outcome = try program.run(words: ["index", folder, "-o", "map"] + deviceArguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func search(
    _ program: Program, _ words: String..., status: Int32 = 0, device: [String] = deviceArguments,
    location: SourceLocation = #_sourceLocation
  ) throws -> Document {
    let outcome = try program.run(words: ["search", "--map", "map", "--json"] + words + device)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  private func names(_ document: Document) -> [String] {
    document.matches.map { $0.path.split(separator: "/").last.map(String.init)! }
  }

  @Test func aPictureOfTheLibraryFindsItsLike() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(40, in: "pictures")
      try program.write("pictures/copy.png", Array(Data(contentsOf: program.file(names[4]))))
      try index(program)
      let found = try search(program, names[4])
      #expect(found.schema == 1 && found.pictures == 41 && found.matches.count == 20)
      // Its copy is, the picture itself isn't, as on the page.
      #expect(self.names(found)[0] == "copy.png" && found.matches[0].distance == 0)
      #expect(!self.names(found).contains("4.png"))
      #expect(found.matches.map { $0.distance! } == found.matches.map { $0.distance! }.sorted())

      // The same picture from outside gives the same, and the picture itself; by the folder's other name, too.
      try program.write("elsewhere.png", Array(Data(contentsOf: program.file(names[4]))))
      let outside = try search(program, "elsewhere.png", "-n", "21")
      #expect(self.names(outside).prefix(2) == ["4.png", "copy.png"])
      #expect(outside.matches.dropFirst() == found.matches[0...])
      try FileManager.default.createSymbolicLink(
        atPath: program.file("link").path, withDestinationPath: program.file("pictures").path)
      #expect(try search(program, "link/4.png").matches == found.matches)

      // Plain Swift has the same order and distances.
      #expect(try search(program, names[4], device: ["--device", "none"]).matches == found.matches)

      let near = try search(program, names[4], "-n", "41", "--threshold", "\(found.matches[5].distance!)")
      #expect(near.matches == found.matches.prefix { $0.distance! <= found.matches[5].distance! })
      #expect(try search(program, names[4], "--content", "1").matches != found.matches)
    }
  }

  @Test func severalPicturesAreMerged() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(30, in: "pictures")
      try index(program)
      let both = try search(program, names[0], names[1], "-n", "30")
      #expect(both.matches.count == 28)
      var least: [String: Double] = [:]
      for name in names[..<2] {
        for match in try search(program, name, "-n", "30").matches {
          least[match.path] = min(least[match.path] ?? .infinity, match.distance!)
        }
      }
      for match in both.matches { #expect(match.distance == least[match.path]) }
    }
  }

  @Test func unreadablePicturesAreToldAndTheOthersSearched() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(8, in: "pictures")
      try index(program)
      try program.write("broken.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      let alone = try program.run(words: ["search", "broken.jpg", "--map", "map"] + deviceArguments)
      #expect(alone.status == 4 && alone.output.isEmpty && alone.errors.contains("broken.jpg"), "\(alone.errors)")
      #expect(try program.run(words: ["search", "nowhere.jpg", "--map", "map"] + deviceArguments).status == 4)
      let some = try search(program, "broken.jpg", names[2], status: 3)
      #expect(some.matches.count == 7 && some.unreadable.count == 1)
      #expect(some.unreadable[0].path == "broken.jpg" && !some.unreadable[0].reason.isEmpty)
    }
  }

  @Test func exitCodesSayWhatIsWrong() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(3, in: "pictures")
      for words in [
        [], ["x.jpg", "--content", "2"], ["x.jpg", "-n", "0"], ["x.jpg", "--threshold", "-1"],
        ["--text", "x", "--threshold", "1"], ["x.jpg", "--duplicates"], ["--duplicates", "-n", "3"],
        ["--duplicates", "--open"], ["x.jpg", "-0", "--json"], ["x.jpg", "--device", "none", "-j", "-1"],
      ] {
        let outcome = try program.run(words: ["search"] + words)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(words): \(outcome.errors)")
      }
      for words in [[names[0]], ["--duplicates"], ["--text", "png"]] {
        let outcome = try program.run(words: ["search", "--map", "map"] + words + deviceArguments)
        #expect(outcome.status == 4 && outcome.errors.contains("there is no index"), "\(outcome.errors)")
      }
      try index(program)
      // All pictures are gone, and forgotten.
      let whole = try Data(contentsOf: program.file("map/index.sqlite"))
      try program.makePictures(1, in: "others")
      let other = try program.run(
        words: ["index", "others", "-o", "map", "--accept-missing"] + deviceArguments)
      #expect(other.status == 0, "\(other.errors)")
      try FileManager.default.removeItem(at: program.file("others/0.png"))
      _ = try program.run(words: ["index", "others", "-o", "map", "--accept-missing"] + deviceArguments)
      for words in [[names[0]], ["--duplicates"], ["--text", "png"]] {
        let outcome = try program.run(words: ["search", "--map", "map"] + words + deviceArguments)
        #expect(outcome.status == 4 && outcome.errors.contains("no picture in the index"), "\(outcome.errors)")
      }
      for damaged in [whole.prefix(whole.count / 2), Data("not an index".utf8)] {
        for ending in ["-wal", "-shm"] {
          try? FileManager.default.removeItem(at: program.file("map/index.sqlite" + ending))
        }
        try damaged.write(to: program.file("map/index.sqlite"))
        #expect(try program.run(words: ["search", "--duplicates", "--map", "map"] + deviceArguments).status == 6)
      }
    }
  }

  @Test func anyNameCanBeFoundAndPrinted() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(3, in: "pictures")
      let bytes = Array(try Data(contentsOf: program.file("pictures/1.jpg")))
      let odd: [UInt8] = Array("odd\nname \u{e9}".utf8) + [0xff] + Array(".jpg".utf8)
      let path = BytePath(program.file("pictures").path).appending(odd)
      let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT, 0o644) }
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
      try index(program)

      let listed = try program.run(
        words: ["search", "--map", "map", "--text", "ODD\nNAME \u{c9}", "-0"] + deviceArguments)
      #expect(listed.status == 0 && listed.bytes == path.bytes + [0], "\(listed.errors)")
      let shown = try program.run(words: ["search", "--map", "map", "--text", "e\u{301}"] + deviceArguments)
      #expect(shown.output.contains("odd\\x0aname \u{e9}\\xff.jpg"), "\(shown.output)")
      let document = try search(program, "pictures/1.jpg", "-n", "1")
      #expect(document.matches[0].distance == 0)
      #expect(document.matches[0].pathBase64 == path.base64)
      #expect(try search(program, "--text", "1.jpg").matches.map(\.distance) == [nil])
      #expect(try search(program, "--text", "nothing like it").matches.isEmpty)
      #expect(try search(program, "pictures/1.jpg", "--text", ".PNG").matches.count == 2)
    }
  }

  @Test func duplicatesAreGrouped() throws {
    try Program.inTemporaryFolder { program in
      // Photo-like pictures: soft shapes of colours of their own.
      for number in 0..<12 {
        let image = softPicture(number, width: 320, height: 240)
        try program.write("pictures/\(number).jpg", try JPEGEncoder(quality: 95).encode(image))
        if number < 3 {
          try program.write("pictures/small \(number).jpg", try JPEGEncoder(quality: 60).encode(image.halved()))
        }
        if number == 3 { try program.write("pictures/saved 3.jpg", try JPEGEncoder(quality: 30).encode(image)) }
      }
      let bytes = Array(try Data(contentsOf: program.file("pictures/5.jpg")))
      for copy in 0..<4 { try program.write("pictures/copies/\(copy).jpg", bytes) }
      try index(program)
      for device in [deviceArguments, ["--device", "none"]] {
        let outcome = try program.run(words: ["search", "--map", "map", "--duplicates", "--json"] + device)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try JSONDecoder().decode(Groups.self, from: Data(outcome.output.utf8))
        let groups = document.groups.map { group in
          group.map { String($0.path.dropFirst(program.file("pictures").path.count + 1)) }
        }
        #expect(
          groups == [
            ["0.jpg", "small 0.jpg"], ["1.jpg", "small 1.jpg"], ["2.jpg", "small 2.jpg"], ["3.jpg", "saved 3.jpg"],
            ["5.jpg", "copies/0.jpg", "copies/1.jpg", "copies/2.jpg", "copies/3.jpg"],
          ])
        #expect(document.schema == 1 && document.groups.last?.allSatisfy { $0.copy && $0.distance == 0 } == true)
        #expect(document.groups.first?.map(\.copy) == [true, false])
      }
      let exact = try program.run(
        words: ["search", "--map", "map", "--duplicates", "--threshold", "0", "-0"] + deviceArguments)
      let names = exact.bytes.split(separator: 0, omittingEmptySubsequences: false)
      #expect(names.count == 7 && names[5].isEmpty && names[6].isEmpty)
      let none = try program.run(
        words: ["search", "--map", "map", "--duplicates", "--text", "small"] + deviceArguments)
      #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("0 groups"), "\(none.errors)")
    }
  }

  @Test func aClosedPipeEndsQuietly() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(6, in: "pictures")
      try index(program)
      for words in ["--text jpg", "--duplicates --threshold 100 -0", "pictures/0.png"] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // The reader is gone before anything is written.
        process.arguments = [
          "-c",
          "set -o pipefail; { sleep 0.2; \"$0\" search --map map \(words) \(deviceArguments.joined(separator: " ")); } | true",
          Locations.repository.appendingPathComponent(".build/release/kiano-gpu").path,
        ]
        process.currentDirectoryURL = program.folder
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && said.isEmpty, "\(words): \(String(decoding: said, as: UTF8.self))")
      }
    }
  }

  @Test func theFirstIsOpened() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(5, in: "pictures")
      try program.write("pictures/copy.png", Array(Data(contentsOf: program.file(names[2]))))
      try index(program)
      let viewer = try program.write("bin/xdg-open", Array("#!/bin/sh\nprintf '%s' \"$1\" > opened\n".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: viewer.path)
      var viewing = program
      viewing.environment["PATH"] = program.file("bin").path + ":/usr/bin:/bin"
      let outcome = try viewing.run(words: ["search", "--map", "map", names[2], "--open"] + deviceArguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let opened = String(decoding: try Data(contentsOf: program.file("opened")), as: UTF8.self)
      #expect(opened == program.file("pictures/copy.png").path)
      viewing.environment["PATH"] = program.file("nowhere").path
      let failed = try viewing.run(words: ["search", "--map", "map", names[2], "--open"] + deviceArguments)
      #expect(failed.status == 1 && failed.errors.contains("xdg-utils"), "\(failed.errors)")
    }
  }

  /// Waves of colours, none like another.
  private func softPicture(_ number: Int, width: Int, height: Int) -> RGBImage {
    var pixels: [UInt8] = []
    let seed = Double(number)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        for channel in 0..<3 {
          let shift = seed * (1.7 + Double(channel)) + Double(channel)
          let (across, down) = (2 + Double((number * 5 + channel) % 7), 1 + Double((number * 3 + channel) % 5))
          let wave = sin(u * across + shift) * cos(v * down - shift * 0.6)
          pixels.append(UInt8(128 + 110 * wave))
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }
}
