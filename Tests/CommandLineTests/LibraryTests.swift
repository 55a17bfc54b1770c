import Foundation
import Imaging
import Library
import Synchronization
import TestSupport
import Testing

/// A library from run to run, as its owner sees it.
struct LibraryTests {
  /// What a run says of the library in its JSON document.
  private struct Counts: Decodable {
    let pictures: Int
    let unchanged: Int
    let new: Int
    let changed: Int
    let moved: Int
    let gone: Int
    let read: Int
    let computed: Int
    let recognised: Int
  }
  private struct Document: Decodable {
    let library: Counts
    let isNew: Bool?
    let isContinued: Bool?
    let checksum: String?
  }

  private func run(
    _ program: Program, _ verb: String, _ folder: String = "pictures", _ more: String..., status: Int32 = 0,
    location: SourceLocation = #_sourceLocation
  ) throws -> Document {
    let outcome = try program.run(words: [verb, folder, "-o", "map", "--json"] + deviceArguments + more)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
    return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
  }

  @Test func aSecondRunDoesOnlyWhatChanged() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(40, in: "pictures/a")
      let first = try run(program, "sort")
      #expect(first.library.computed == 40 && first.isNew == true && first.isContinued == false)
      let second = try run(program, "sort")
      #expect(second.library.unchanged == 40 && second.library.read == 0 && second.isNew == false)

      // Another time for the same bytes: each is read again.
      for name in names[..<10] {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: program.file(name).path)
      }
      let touched = try run(program, "index")
      #expect(touched.library.changed == 10 && touched.library.read == 10 && touched.library.unchanged == 30)

      try FileManager.default.moveItem(at: program.file("pictures/a"), to: program.file("pictures/b"))
      let renamed = try run(program, "sort")
      #expect(renamed.library.moved == 40 && renamed.library.read == 0 && renamed.library.gone == 0)
      // Nothing but names has changed: every picture keeps its cell.
      #expect(renamed.isNew == true && renamed.checksum == first.checksum)
      let map = try MapJSON(program.file("map"))
      #expect(map.pictures.allSatisfy { $0.path.contains("/pictures/b/") })
    }
  }

  @Test func picturesThatTradeTheirContentsAreTwoChangedOnes() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(6, in: "pictures")
      _ = try run(program, "sort")
      func trade(_ first: String, _ second: String) throws {
        try FileManager.default.moveItem(at: program.file(first), to: program.file("aside"))
        try FileManager.default.moveItem(at: program.file(second), to: program.file(first))
        try FileManager.default.moveItem(at: program.file("aside"), to: program.file(second))
      }
      try trade(names[0], names[2])
      let traded = try run(program, "sort")
      #expect(traded.library.changed == 2 && traded.library.pictures == 6 && traded.library.computed == 0)
      try trade(names[0], names[2])
      try trade(names[2], names[4])
      #expect(try run(program, "sort").library.changed == 3)
      try LibraryIndex(reading: BytePath(program.file("map/index.sqlite").path)).verify()
      #expect(try LibraryIndex(reading: BytePath(program.file("map/index.sqlite").path)).status().contentCount == 6)
    }
  }

  @Test func copiesAreRecognisedByTheirBytes() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(20, in: "pictures")
      _ = try run(program, "index")
      // As from a backup: other files, other times, other names.
      for (index, name) in names.enumerated() {
        try program.write("pictures/copies/\(index).jpg", Array(Data(contentsOf: program.file(name))))
      }
      let copied = try run(program, "index")
      #expect(copied.library.pictures == 40 && copied.library.recognised == 20)
      #expect(copied.library.read == 0 && copied.library.computed == 0)
      // Equal files in one run are read, and computed once.
      let twice = try run(program, "index", "pictures", "--rebuild")
      #expect(twice.library.read == 40 && twice.library.computed == 20 && twice.library.recognised == 20)
    }
  }

  @Test func whatIsGoneLeavesTheMapAndIsForgottenOnlyByPrune() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(30, in: "pictures")
      _ = try run(program, "sort")
      let aside = program.file("aside.png")
      try FileManager.default.moveItem(at: program.file(names[0]), to: aside)
      try FileManager.default.removeItem(at: program.file(names[1]))
      let smaller = try run(program, "sort")
      #expect(smaller.library.gone == 2 && smaller.library.pictures == 28 && smaller.isContinued == true)
      #expect(try MapJSON(program.file("map")).pictures.count == 28)
      // Back again, it is known.
      try FileManager.default.moveItem(at: aside, to: program.file(names[0]))
      #expect(try run(program, "index").library.read == 0)
      let pruned = try program.run("prune", "map", "--json")
      #expect(pruned.status == 0 && pruned.output.contains("\"pictures\" : 1"), "\(pruned.output)\(pruned.errors)")
      #expect(try run(program, "index").library.pictures == 29)
    }
  }

  @Test func missingAndEmptiedFoldersArentForgotten() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(12, in: "pictures")
      try program.makePictures(3, in: "others")
      _ = try run(program, "sort")
      let before = try Data(contentsOf: program.file("map/map.json"))
      func refusal(_ word: String, location: SourceLocation = #_sourceLocation) throws {
        for verb in ["sort", "index"] {
          let outcome = try program.run(words: [verb, "pictures", "-o", "map"] + deviceArguments)
          #expect(outcome.status == 1 && outcome.output.isEmpty, sourceLocation: location)
          #expect(
            outcome.errors.contains(word) && outcome.errors.contains("--accept-missing"), "\(outcome.errors)",
            sourceLocation: location)
        }
      }
      try FileManager.default.moveItem(at: program.file("pictures"), to: program.file("elsewhere"))
      try refusal("pictures isn't there")
      try FileManager.default.createDirectory(at: program.file("pictures"), withIntermediateDirectories: true)
      try refusal("has none of the 12 pictures that were there")
      try FileManager.default.removeItem(at: program.file("pictures"))
      try FileManager.default.moveItem(at: program.file("elsewhere"), to: program.file("pictures"))
      for name in names[..<7] { try FileManager.default.removeItem(at: program.file(name)) }
      try refusal("7 of the 12 pictures")
      #expect(try Data(contentsOf: program.file("map/map.json")) == before)
      #expect(try run(program, "sort", "pictures", "--accept-missing").library.pictures == 5)
    }
  }

  @Test func dryRunAndStatusTellAndDoNothing() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(10, in: "pictures")
      let dry = try program.run(words: ["sort", "pictures", "-o", "map", "--dry-run"] + deviceArguments)
      #expect(dry.status == 0 && dry.output.contains("to read: 10 files"), "\(dry.output)\(dry.errors)")
      #expect(dry.output.contains("it would take about"))
      #expect(!FileManager.default.fileExists(atPath: program.file("map").path))
      #expect(try program.run("status", "map").status == 4)

      _ = try run(program, "sort", "pictures", "--exclude", "8.png")
      try program.makePictures(13, in: "pictures")
      let bytes = try Data(contentsOf: program.file("map/index.sqlite"))
      let status = try program.run(words: ["status", "map", "--json"] + deviceArguments)
      #expect(status.status == 0, "\(status.errors)")
      struct Status: Decodable {
        struct Next: Decodable {
          let toRead: Int
          let library: Counts
        }
        let pictures: Int
        let next: Next
      }
      let document = try JSONDecoder().decode(Status.self, from: Data(status.output.utf8))
      // The pattern still holds. The ten were written again.
      #expect(document.pictures == 9 && document.next.library.new == 3 && document.next.toRead == 12)
      #expect(try Data(contentsOf: program.file("map/index.sqlite")) == bytes)
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: program.file("map").path)).isSuperset(of: ["map.json"]))
    }
  }

  @Test func aDamagedOrForeignIndexEndsWith6AndSaysWhatToDo() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(25, in: "pictures")
      let reference = try run(program, "sort")
      let index = program.file("map/index.sqlite")
      let whole = try Data(contentsOf: index)
      let known = try pictures(index)
      var random = SystemRandomNumberGenerator()
      var damages = [whole.prefix(whole.count / 2), whole.prefix(100), whole.prefix(0)]
      for _ in 0..<10 {
        // A run of bytes that differ from what was there, anywhere but in the unused parts of pages.
        var bytes = whole
        // The header's version can't be told from a later one's.
        let start = Int.random(in: 100..<whole.count - 64, using: &random)
        guard bytes[start..<start + 64].contains(where: { $0 != 0 }) else { continue }
        for offset in start..<start + 64 { bytes[offset] ^= 0x5a }
        damages.append(bytes)
      }
      for damaged in damages {
        try damaged.write(to: index)
        for verb in ["sort", "index"] {
          let outcome = try program.run(words: [verb, "pictures", "-o", "map"] + deviceArguments)
          if outcome.status == 0, let after = try? pictures(index) {
            // What was hit means nothing: the rest of a page.
            #expect(after.paths == known.paths && after.vectors == known.vectors)
            continue
          }
          #expect(outcome.status == 6, "\(outcome.errors)")
          #expect(outcome.errors.contains("--rebuild"), "\(outcome.errors)")
        }
      }
      // Whatever is left of it, it can be made anew.
      for damaged in damages.prefix(3) + damages.suffix(1) {
        try damaged.write(to: index)
        let rebuilt = try run(program, "sort", "pictures", "--rebuild")
        #expect(rebuilt.library.computed == 25)
        #expect(try MapJSON(program.file("map")).checksum == reference.checksum)
      }

      try program.write("letter.txt", Array("keep me, I am no index but long enough to be mistaken for one. ".utf8))
      let letter = try Data(contentsOf: program.file("letter.txt"))
      for more in [[], ["--rebuild"]] {
        let outcome = try program.run(words: ["index", "pictures", "--index", "letter.txt"] + deviceArguments + more)
        #expect(outcome.status == 6 && outcome.errors.contains("isn't an index"), "\(outcome.errors)")
        #expect(try Data(contentsOf: program.file("letter.txt")) == letter)
      }
    }
  }

  @Test func theSecondOfTwoRunsEndsWith6AndNamesTheFirst() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(5, in: "pictures")
      _ = try run(program, "index")
      let lock = program.file("map/index.sqlite-lock").path
      let descriptor = open(lock, O_RDWR | O_CREAT, 0o600)
      defer { close(descriptor) }
      try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      let text = Array("4711\nsome-host\n2026-01-01\n".utf8)
      #expect(pwrite(descriptor, text, text.count, 0) == text.count)
      for verb in ["sort", "index"] {
        let outcome = try program.run(words: [verb, "pictures", "-o", "map"] + deviceArguments)
        #expect(outcome.status == 6 && outcome.errors.contains("process 4711 on some-host"), "\(outcome.errors)")
      }
      // Whoever only reads isn't kept from it.
      #expect(try program.run(words: ["status", "map"] + deviceArguments).status == 0)
      #expect(try program.run(words: ["sort", "pictures", "-o", "map", "--dry-run"] + deviceArguments).status == 0)
      // The holder is gone without having said so.
      flock(descriptor, LOCK_UN)
      #expect(try run(program, "index").library.pictures == 5)
      #expect(!FileManager.default.fileExists(atPath: lock))
    }
  }

  @Test func aMapGoesOnFromTheLastOne() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(60, in: "pictures")
      _ = try run(program, "sort")
      let first = try MapJSON(program.file("map"))
      try program.makePictures(3, in: "pictures/more")
      let continued = try run(program, "sort")
      #expect(continued.isContinued == true && continued.library.pictures == 63)
      let second = try MapJSON(program.file("map"))
      func places(_ map: MapJSON) -> [String: (Int, Int)] {
        var places: [String: (Int, Int)] = [:]
        for (cell, picture) in map.cells.enumerated() where picture >= 0 {
          places[map.pictures[picture].path] = (cell % map.grid.columns, cell / map.grid.columns)
        }
        return places
      }
      let (before, after) = (places(first), places(second))
      let near = before.count { path, place in
        let (x, y) = after[path]!
        return abs(x - place.0) <= 2 && abs(y - place.1) <= 2
      }
      #expect(near > 40, "\(near) of 60")
      let fresh = try run(program, "sort", "pictures", "--fresh")
      #expect(fresh.isContinued == false && fresh.library.read == 0)
      #expect(try run(program, "sort", "pictures", "--fresh").isNew == false)
    }
  }

  @Test func rebuildingLosesNothingBeforeItHasSomethingBetter() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(30, in: "pictures")
      _ = try run(program, "sort")
      let index = program.file("map/index.sqlite")
      let before = try Data(contentsOf: index)
      func refused(_ arguments: String..., status: Int32, location: SourceLocation = #_sourceLocation) throws {
        let outcome = try program.run(words: ["sort", "-o", "map", "--rebuild"] + deviceArguments + arguments)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        #expect(try Data(contentsOf: index) == before, sourceLocation: location)
        let names = try FileManager.default.contentsOfDirectory(atPath: program.file("map").path)
        #expect(names.filter { $0.hasPrefix("index.sqlite") } == ["index.sqlite"], sourceLocation: location)
      }
      try refused("misspelt", status: 4)
      try refused("pictures", "--exclude", "*", status: 4)
      try FileManager.default.moveItem(at: program.file("pictures"), to: program.file("away"))
      try FileManager.default.createDirectory(at: program.file("pictures"), withIntermediateDirectories: true)
      try refused("pictures", status: 1)
      try FileManager.default.removeItem(at: program.file("pictures"))
      try FileManager.default.moveItem(at: program.file("away"), to: program.file("pictures"))
      // Interrupted, it leaves the old index, and goes on where it was.
      _ = try program.run(
        words: ["sort", "pictures", "-o", "map", "--rebuild", "-j", "1"] + deviceArguments, interruptAfter: 0.15,
        signal: SIGKILL)
      #expect(try LibraryIndex(reading: BytePath(index.path)).status().pictureCount == 30)
      let rebuilt = try run(program, "sort", "pictures", "--rebuild")
      #expect(rebuilt.library.pictures == 30)
      try LibraryIndex(reading: BytePath(index.path)).verify()
    }
  }

  @Test func aRenamedRootKeepsItsPicturesAndTheirPlaces() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(30, in: "one/a")
      let first = try run(program, "sort", "one")
      try FileManager.default.moveItem(at: program.file("one"), to: program.file("two"))
      let renamed = try run(program, "sort", "two")
      #expect(renamed.library.moved == 30 && renamed.library.read == 0 && renamed.library.gone == 0)
      #expect(renamed.checksum == first.checksum && renamed.isContinued == true)
      try FileManager.default.moveItem(at: program.file("two/a"), to: program.file("two/b"))
      let again = try run(program, "sort", "two")
      #expect(again.library.moved == 30 && again.library.gone == 0 && again.checksum == first.checksum)
    }
  }

  @Test func linksToAnIndexLeadToOneLock() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(5, in: "pictures")
      try FileManager.default.createDirectory(at: program.file("real"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: program.file("link").path, withDestinationPath: "real/index")
      let words = ["index", "pictures", "--index"]
      #expect(try program.run(words: words + ["link"] + deviceArguments).status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.file("real").path) == ["index"])
      let descriptor = open(program.file("real/index-lock").path, O_RDWR | O_CREAT, 0o600)
      defer { close(descriptor) }
      try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      for name in ["link", "real/index"] {
        #expect(try program.run(words: words + [name] + deviceArguments).status == 6)
      }
      // Telling what is in it leaves nothing behind.
      #expect(try program.run(words: ["status", "--index", "link"] + deviceArguments).status == 0)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: program.file("real").path).sorted() == [
          "index", "index-lock",
        ])
    }
  }

  @Test func emptyFilesArentNewAgainAndAgain() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(4, in: "pictures")
      try program.write("pictures/empty.jpg", [])
      _ = try run(program, "sort", "pictures", status: 3)
      let second = try run(program, "sort", "pictures", status: 3)
      #expect(second.library.new == 0 && second.library.unchanged == 4 && second.isNew == false)
    }
  }

  @Test func aListNamesAPictureOnceHoweverItIsSpelt() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(2, in: "pictures")
      let spellings = names + names.map { "./" + $0 } + names.map { $0.replacingOccurrences(of: "/", with: "//") }
      try program.write("list", Array((spellings.joined(separator: "\n") + "\n").utf8))
      let outcome = try program.run(
        words: ["index", "--files-from", "list", "-o", "map", "--json"] + deviceArguments)
      let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
      #expect(document.library.pictures == 2)
    }
  }

  @Test func noIndexIsPutIntoSomeoneElsesFolder() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(3, in: "pictures")
      let outcome = try program.run(words: ["index", "pictures", "-o", "pictures"] + deviceArguments)
      #expect(outcome.status == 1 && outcome.errors.contains("isn't a map"), "\(outcome.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.file("pictures").path).count == 3)
    }
  }

  @Test func filesThatVanishGrowOrAreReplacedMeanwhileCostNothingElse() throws {
    try Program.inTemporaryFolder { program in
      let names = try program.makePictures(400, in: "pictures")
      let isDone = Atomic<Bool>(false)
      let isMeddling = DispatchGroup()
      let folder = program.folder
      DispatchQueue.global().async(group: isMeddling) {
        var index = 0
        while !isDone.load(ordering: .relaxed) {
          let file = folder.appendingPathComponent(names[index % names.count])
          switch index % 3 {
          case 0: try? FileManager.default.removeItem(at: file)
          case 1:
            if let handle = try? FileHandle(forWritingTo: file) {
              _ = try? handle.seekToEnd()
              try? handle.write(contentsOf: Data(repeating: 0, count: 1000))
              try? handle.close()
            }
          default:
            let other = folder.appendingPathComponent(names[(index + 1) % names.count])
            if let bytes = try? Data(contentsOf: other) { try? bytes.write(to: file, options: .atomic) }
          }
          index += 7
          usleep(500)
        }
      }
      let outcome = try program.run(words: ["index", "pictures", "-o", "map", "--json"] + deviceArguments)
      isDone.store(true, ordering: .relaxed)
      isMeddling.wait()
      // A picture that was being written may be said to be, and is taken by the next run.
      #expect([0, 3].contains(outcome.status), "\(outcome.errors)")
      let next = try run(program, "index", "pictures", "--accept-missing")
      let there = try FileManager.default.contentsOfDirectory(atPath: program.file("pictures").path).count
      #expect(next.library.pictures == there)
      #expect(try run(program, "index", "pictures").library.read == 0)
      try LibraryIndex(reading: BytePath(program.file("map/index.sqlite").path)).verify()
    }
  }

  @Test func aFullDiskStopsTheRunAndLosesNothing() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(300, in: "pictures")
      try FileManager.default.createDirectory(at: program.file("disk"), withIntermediateDirectories: true)
      func mount(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/mount")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
      }
      // Only root may do this, and not in every container.
      guard getuid() == 0, try mount("-t", "tmpfs", "-o", "size=700k", "tmpfs", program.file("disk").path) else {
        print("aFullDiskStopsTheRunAndLosesNothing is left out: no file system can be mounted here")
        return
      }
      defer { umount2(program.file("disk").path, 2) }
      let words = ["index", "pictures", "--index", "disk/index", "--json"] + deviceArguments
      let full = try program.run(words: words)
      #expect(full.status == 1 && full.errors.contains("no space is left"), "\(full.errors)")
      let index = BytePath(program.file("disk/index").path)
      let saved = try LibraryIndex(reading: index).status().pictureCount
      try LibraryIndex(reading: index).verify()
      #expect(try mount("-o", "remount,size=64m", program.file("disk").path))
      let outcome = try program.run(words: words)
      let document = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
      #expect(outcome.status == 0 && document.library.pictures == 300)
      #expect(document.library.unchanged == saved && document.library.computed == 300 - saved)
    }
  }

  /// KIANO_TEST_KILLS=100 KIANO_TEST_KILL_PICTURES=2000 takes ten minutes; without them it is over in a few seconds.
  @Test func killedAtAnyMomentTheNextRunFinishesAndTheResultIsTheSame() throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["KIANO_TEST_KILLS"].flatMap(Int.init) ?? 6
    let count = environment["KIANO_TEST_KILL_PICTURES"].flatMap(Int.init) ?? 150
    try Program.inTemporaryFolder { program in
      try program.makePictures(count, in: "pictures")
      func words(_ verb: String, _ map: String) -> [String] {
        [verb, "pictures", "-o", map, "--json", "-vv"] + (verb == "sort" ? ["--fresh"] : []) + deviceArguments
      }
      var start = Date.now
      let indexed = try program.run(words: words("index", "index"))
      let indexSeconds = Date.now.timeIntervalSince(start)
      start = Date.now
      let undisturbed = try program.run(words: words("sort", "reference"))
      let sortSeconds = Date.now.timeIntervalSince(start)
      #expect(indexed.status == 0 && undisturbed.status == 0, "\(undisturbed.errors)")
      let checksum = try MapJSON(program.file("reference")).checksum
      let reference = try pictures(program.file("reference/index.sqlite"))
      #expect(reference.paths.count == count)

      for kill in 0..<kills {
        let verb = kill % 2 == 0 ? "sort" : "index"
        let seconds = Double.random(in: 0..<(verb == "sort" ? sortSeconds : indexSeconds))
        let killed = try program.run(words: words(verb, "map"), interruptAfter: seconds, signal: SIGKILL)
        let index = program.file("map/index.sqlite")
        var saved = 0
        if FileManager.default.fileExists(atPath: index.path), try Data(contentsOf: index).count > 0 {
          #expect(try integrity(index) == "ok")
          saved = (try? LibraryIndex(reading: BytePath(index.path)).status().contentCount) ?? 0
        }
        // What had been computed and wasn't written down is one batch at most.
        let computed = killed.errors.split(separator: "\n").last { $0.hasSuffix("vectors computed") }
        if let number = computed?.split(separator: " ").first.flatMap({ Int($0) }) {
          #expect(number - saved <= 32, "\(number) computed, \(saved) saved")
        }
        let next = try program.run(words: words("sort", "map"))
        #expect(next.status == 0, "\(next.errors)")
        let document = try JSONDecoder().decode(Document.self, from: Data(next.output.utf8))
        #expect(document.library.computed == reference.contentCount - saved)
        #expect(try MapJSON(program.file("map")).checksum == checksum)
        let result = try pictures(index)
        #expect(result.vectors == reference.vectors && result.paths == reference.paths)
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
        #expect(leftovers.sorted() == ["index", "map", "pictures", "reference"])
        try FileManager.default.removeItem(at: program.file("map"))
      }
    }
  }

  private struct Pictures {
    let paths: [BytePath]
    let vectors: [[UInt8]]
    let contentCount: Int
  }

  private func pictures(_ index: URL) throws -> Pictures {
    let library = try LibraryIndex(reading: BytePath(index.path))
    let pictures = try library.presentPictures()
    return Pictures(
      paths: pictures.paths, vectors: [pictures.vectors.content, pictures.vectors.appearance],
      contentCount: Set(pictures.contents).count)
  }

  private func integrity(_ index: URL) throws -> String {
    do throws(IndexError) {
      try LibraryIndex(reading: BytePath(index.path)).verify()
      return "ok"
    } catch let error where error.reason == .missing {
      // Killed before the first table was made.
      return "ok"
    } catch {
      return "\(error)"
    }
  }
}
