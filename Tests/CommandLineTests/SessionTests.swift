import Features
import Foundation
import TestSupport
import Testing

/// What a user does on a first day, one thing after the other.
struct SessionTests {
  @Test func signalsHaveExitCodes() throws {
    try Program.inTemporaryFolder { program in
      // Some seconds of work.
      let vectors = NPYArray(shape: [150_000, 16], (0..<2_400_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
      try program.writeArray("v.npy", vectors)
      let words = ["arrange", "v.npy", "-o", "g.npy", "--quality", "best", "--device", "none", "-j", "1"]
      for (number, code) in [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)] {
        let outcome = try program.run(words: words, interruptAfter: 0.5, signal: number)
        #expect(outcome.status == code && outcome.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: program.file("g.npy").path))
      }
    }
  }

  @Test func firstDay() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(40, in: "pictures")

      // A wrong option is told, with the right one, and nothing is done.
      let wrong = try program.run("sort", "pictures", "--ouput", "map")
      #expect(wrong.status == 2 && wrong.errors.contains("did you mean --output?") && wrong.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: program.file("map").path))

      // Interrupted while it reads: what was read is kept.
      let interrupted = try program.run(
        words: ["index", "pictures", "-o", "map", "--device", "none", "-j", "1"], interruptAfter: 0.02)
      #expect([0, 130].contains(interrupted.status), "\(interrupted.errors)")

      // The first map.
      let first = try program.run(words: ["sort", "pictures", "-o", "map"] + deviceArguments)
      #expect(first.status == 0 && first.output == program.file("map/index.html").path + "\n", "\(first.errors)")
      #expect(first.errors.contains("40 pictures on "))

      // Nothing changed: nothing is read, and the map stays.
      let made = try Data(contentsOf: program.file("map/map.json"))
      let again = try program.run(words: ["sort", "pictures", "-o", "map", "-v"] + deviceArguments)
      #expect(again.status == 0 && again.errors.contains("nothing has changed"))
      #expect(again.errors.contains("0 files read"), "\(again.errors)")
      #expect(try Data(contentsOf: program.file("map/map.json")) == made)

      // One new, one gone, one broken.
      try FileManager.default.copyItem(at: program.file(names[2]), to: program.file("pictures/new.png"))
      try FileManager.default.removeItem(at: program.file(names[5]))
      try program.write("pictures/broken.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      let changed = try program.run(words: ["sort", "pictures", "-o", "map", "-vv"] + deviceArguments)
      #expect(changed.status == 3 && changed.errors.contains("unreadable: "), "\(changed.errors)")
      #expect(changed.errors.contains("1 gone") && changed.errors.contains("1 file unreadable: see "))
      #expect(try String(contentsOf: program.file("map/failures.tsv"), encoding: .utf8).contains("broken.jpg"))
      #expect(try MapJSON(program.file("map")).pictures.count == 40)

      // The picture that was copied finds its copy; the index can be looked at, and pruned.
      let found = try program.run(words: ["search", names[2], "--map", "map", "-n", "1"] + deviceArguments)
      #expect(found.status == 0 && found.output.hasSuffix("pictures/new.png\n"))
      #expect(try program.run("status", "map").output.contains("pictures: 40"))
      #expect(try program.run("prune", "map").output.contains("1 picture forgotten"))
      #expect(try program.run("sort", "nowhere", "-o", "other", "--device", "none").status == 4)
    }
  }
}
