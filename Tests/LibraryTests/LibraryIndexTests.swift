import Features
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Library

@Suite("The index")
struct LibraryIndexTests {
  private let conditions = LibraryIndex.FailureConditions(program: "1", limits: "a")
  private let root: BytePath = "/no/such/root"

  private func withPath(_ body: (BytePath) throws -> Void) throws {
    try Locations.withTemporaryFolder { try body(BytePath($0.path).appending("index")) }
  }

  private func file(_ name: String, _ number: Int, modified: Int64 = 1) -> ScannedFile {
    ScannedFile(
      path: root.appending(name),
      identity: FileIdentity(
        device: 7, inode: UInt64(number), size: Int64(1000 + number), modifiedNanoseconds: modified))
  }

  private func content(_ number: Int) -> NewContent {
    NewContent(
      hash: ContentHash(high: 1, low: UInt64(number)),
      facts: ContentFacts(format: .jpeg, width: number, height: 2, takenAt: number % 2 == 0 ? nil : "2020"),
      vector: (0..<FeatureVectors.byteCount).map { UInt8(truncatingIfNeeded: $0 * number) },
      thumbnail: Array(repeating: UInt8(number % 256), count: 50),
      halfThumbnail: Array(repeating: UInt8(number % 256), count: 20))
  }

  private func compare(
    _ index: LibraryIndex, _ files: [ScannedFile], roots: [BytePath]? = nil,
    _ conditions: LibraryIndex.FailureConditions? = nil
  ) throws -> LibraryChanges {
    try index.compare(roots: roots ?? [root], conditions: conditions ?? self.conditions) { found in
      files.forEach(found)
      return ScanSummary()
    }
  }

  /// Reads what a scan of `files` finds; the content of a file has the number of its inode.
  @discardableResult
  private func update(_ index: LibraryIndex, _ files: [ScannedFile]) throws -> LibraryChanges {
    var changes = try compare(index, files)
    try index.apply(&changes)
    let read = try index.filesToRead(after: 0, limit: 1000).map {
      ReadFile(number: $0.number, file: $0.file, outcome: .picture(content(Int($0.file.identity.inode))))
    }
    try index.record(read, in: &changes)
    return changes
  }

  @Test("gives back what was put in, in the order of the scan, after it was closed")
  func roundTrip() throws {
    try withPath { path in
      // Names that need not be text, and an order that isn't that of the numbers.
      let files = [file("b", 3), file("a", 1), file("c", 2)]
      let index = try LibraryIndex(writingTo: path, model: "m")
      #expect(index.isNew)
      try update(index, files)
      index.close()
      let again = try LibraryIndex(writingTo: path, model: "m")
      let changes = try compare(again, files)
      #expect(changes.isEmpty && changes.unchangedCount == 3)
      let pictures = try again.pictures(of: changes)
      #expect(pictures.paths == files.map(\.path))
      #expect(pictures.facts.map(\.width) == [3, 1, 2] && pictures.facts.map(\.takenAt) == ["2020", "2020", nil])
      for (place, number) in [3, 1, 2].enumerated() {
        let vector = pictures.vectors[place]
        #expect(Array(vector.content) + vector.appearance == content(number).vector)
        #expect(try ThumbnailReader(of: path).thumbnail(pictures.contents[place]) == content(number).thumbnail)
      }
      try again.verify()
    }
  }

  @Test("knows a file again by its device and number, and moves it")
  func moved() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let before = try update(index, [file("a", 1), file("b", 2)]).pictures
      let changes = try update(index, [file("a", 1), file("deep/b", 2), file("z", 3)])
      #expect(changes.movedCount == 1 && changes.newCount == 1 && changes.goneCount == 0 && changes.losses.isEmpty)
      #expect(Array(changes.pictures.prefix(2)) == before)
      // A second name of a file that is still there is another picture with the same content.
      let linked = try update(index, [file("a", 1), file("a2", 1), file("deep/b", 2), file("z", 3)])
      #expect(linked.linkedCount == 1 && linked.movedCount == 0 && linked.toReadCount == 0)
      let pictures = try index.pictures(of: linked)
      #expect(pictures.contents[0] == pictures.contents[1] && pictures.ids[0] != pictures.ids[1])
    }
  }

  @Test("a file of known bytes takes the place of one that is gone")
  func movedElsewhere() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let before = try update(index, [file("a", 1), file("b", 2), file("c", 3)]).pictures
      let copy = ScannedFile(
        path: root.appending("new"),
        identity: FileIdentity(device: 8, inode: 99, size: 1002, modifiedNanoseconds: 5))
      var changes = try compare(index, [file("a", 1), copy, file("c", 3)])
      try index.apply(&changes)
      let perhaps = try index.filesPerhapsKnown(after: 0, limit: 10)
      #expect(perhaps.map(\.file) == [copy])
      #expect(try index.knows(content(2).hash) && !index.knows(content(9).hash))
      let read = ReadFile(number: perhaps[0].number, file: copy, outcome: .known(content(2).hash))
      try index.record([read], in: &changes)
      #expect(changes.pictures == before)
      #expect(try index.status().goneCount == 0)
    }
  }

  @Test("a file that changed is read again, and its old content forgotten")
  func modified() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let before = try update(index, [file("a", 1), file("b", 2)]).pictures
      var changes = try compare(index, [file("a", 1), file("b", 2, modified: 2)])
      #expect(changes.modifiedCount == 1 && changes.bytesToRead == 1002)
      try index.apply(&changes)
      let pending = try index.filesToRead(after: 0, limit: 10)
      let read = ReadFile(number: pending[0].number, file: pending[0].file, outcome: .picture(content(5)))
      try index.record([read], in: &changes)
      #expect(changes.pictures == before)
      #expect(try index.status().contentCount == 2)
      try index.verify()
    }
  }

  @Test("a failure is remembered while its conditions hold, and no longer than the file")
  func failures() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let files = [file("bad", 1), file("large", 2), file("jxl", 3)]
      var changes = try compare(index, files)
      try index.apply(&changes)
      let reasons: [(String?, Int64)] = [
        ("broken", conditions.program), ("too large", conditions.limits), (nil, conditions.program),
      ]
      let read = zip(try index.filesToRead(after: 0, limit: 10), reasons).map { pending, reason in
        ReadFile(
          number: pending.number, file: pending.file, outcome: .failure(reason: reason.0, conditions: reason.1))
      }
      try index.record(read, in: &changes)
      let same = try compare(index, files)
      #expect(same.knownFailures.map(\.reason) == ["broken", "too large"] && same.unreadableFormatCount == 1)
      #expect(same.toReadCount == 0 && same.isEmpty && same.pictures.isEmpty)
      let otherLimits = LibraryIndex.FailureConditions(program: "1", limits: "b")
      #expect(try compare(index, files, otherLimits).retriedCount == 1)
      let otherProgram = LibraryIndex.FailureConditions(program: "2", limits: "a")
      #expect(try compare(index, files, otherProgram).retriedCount == 3)
      #expect(try compare(index, [file("bad", 1, modified: 9)]).modifiedCount == 1)
    }
  }

  @Test("losses are told by their kind, and other folders' pictures are none")
  func losses() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let files = (1...10).map { file("\($0)", $0) }
      try update(index, files)
      #expect(try compare(index, Array(files[..<5])).losses.isEmpty)
      #expect(try compare(index, Array(files[..<4])).losses.map(\.kind) == [.mostGone])
      #expect(try compare(index, []).losses.map(\.kind) == [.emptyRoot])
      #expect(try compare(index, []).losses.map(\.goneCount) == [10])
      let elsewhere = try compare(index, [], roots: ["/other"])
      #expect(elsewhere.losses.isEmpty && elsewhere.elsewhereCount == 10 && elsewhere.goneCount == 0)
    }
  }

  @Test("an index of a later version, of another model, or of another program is refused and left as it is")
  func refused() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      try update(index, [file("a", 1)])
      index.close()
      #expect(throws: IndexError(path: path, reason: .otherModel("m", wanted: "n"))) {
        try LibraryIndex(writingTo: path, model: "n")
      }
      try Database(path, .create).execute("PRAGMA user_version = 99")
      for opening in [{ try LibraryIndex(writingTo: path, model: "m") }, { try LibraryIndex(reading: path) }] {
        #expect(throws: IndexError(path: path, reason: .newer(version: 99))) { try opening() }
      }
      let other = BytePath(path.bytes + Array("-other".utf8))
      try Database(other, .create).execute("CREATE TABLE mine(x); PRAGMA journal_mode = WAL")
      #expect(throws: IndexError(path: other, reason: .foreign)) {
        try LibraryIndex(writingTo: other, model: "m", rebuilds: true)
      }
      #expect(throws: IndexError(path: other, reason: .foreign)) { try LibraryIndex(writingTo: other, model: "m") }
      #expect(try Database(other, .create).number("SELECT count(*) FROM mine") == 0)
    }
  }

  @Test("changed facts are noticed, whatever SQLite says", arguments: ["picture", "content", "vector", "thumbnail"])
  func checksums(table: String) throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      try update(index, [file("a", 1), file("b", 2)])
      index.close()
      let change = [
        "picture": "inode = inode + 1", "content": "width = width + 1", "vector": "bytes = zeroblob(length(bytes))",
        "thumbnail": "jpeg = zeroblob(length(jpeg))",
      ]
      try Database(path, .create).execute("UPDATE \(table) SET \(change[table]!) WHERE rowid = 2")
      let error = #expect(throws: IndexError.self) { try LibraryIndex(writingTo: path, model: "m") }
      guard case .damaged = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("writing waits for nobody, reading for nothing")
  func locks() throws {
    try withPath { path in
      let writer = try LibraryIndex(writingTo: path, model: "m")
      try update(writer, [file("a", 1)])
      let error = #expect(throws: IndexError.self) { try LibraryIndex(writingTo: path, model: "m") }
      guard case .locked(let holder) = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(holder.contains("process \(getpid()) on "))
      let reader = try LibraryIndex(reading: path)
      #expect(try reader.status().pictureCount == 1)
      try update(writer, [file("a", 1), file("b", 2)])
      #expect(try reader.status().pictureCount == 2)
      writer.close()
      #expect(try LibraryIndex(writingTo: path, model: "m").staleLockHolder == nil)
    }
  }

  @Test("a map is remembered as it was")
  func maps() throws {
    try withPath { path in
      let index = try LibraryIndex(writingTo: path, model: "m")
      let record = MapRecord(
        edition: "0123456789abcdef", contents: -5, settings: "balanced", drawing: "large", changes: 7, columns: 2,
        cells: [
          .init(picture: 3, content: 1 << 40), .hole, .init(picture: 1, content: 1), .init(picture: 2, content: 1),
        ])
      try index.remember(record, at: "/map")
      #expect(try index.map(at: "/map") == record)
      #expect(try index.map(at: "/other") == nil)
      try index.database.execute("UPDATE map SET columns = 4")
      #expect(try index.map(at: "/map") == nil)
    }
  }

  @Test("rules come back from their text")
  func rules() throws {
    var rules = ScanRules()
    rules.maximumDepth = 3
    rules.takesHidden = true
    rules.patterns = [
      IgnorePattern(argument: Array("*.pn[gG]".utf8), takes: false)!,
      IgnorePattern(argument: [0x2F, 0xFF], takes: true)!,
    ]
    let copy = try #require(ScanRules(text: rules.text))
    #expect(copy.patterns == rules.patterns && copy.maximumDepth == 3 && copy.takesHidden && !copy.followsLinks)
    #expect(ScanRules(text: "no JSON") == nil)
  }
}
