import Foundation
import Imaging
import Synchronization
import TestSupport
import Testing

@testable import Atlas

@Suite("Putting a map in its place")
struct MapWriterTests {
  /// What a map holds unless more is asked for.
  private let mapEntries = (MapFolder.necessaryEntries + ["map.png"]).sorted()

  /// Runs `body` with the path of a map that doesn't exist yet and the folder that it will be in.
  private func withDestination(_ body: (BytePath, BytePath) throws -> Void) throws {
    try Locations.withTemporaryFolder { folder in
      let parent = BytePath(folder.path)
      try body(parent.appending("map"), parent)
    }
  }

  /// What `body` throws.
  private func failure(_ body: () throws -> Void) -> AtlasError.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtlasError)?.reason
    }
  }

  private func expect(_ reason: AtlasError.Reason, _ body: () throws -> Void) {
    #expect(failure(body) == reason)
  }

  @Test("a new map, and one where an empty folder was")
  func new() throws {
    try withDestination { map, parent in
      let writer = MapWriter(destination: map)
      try writer.check()
      #expect(try TestFiles.names(parent) == [])
      try FileSystem.makeFolder(map)
      try writer.check()
      let report = try writer.write(SampleMap.contents(columns: 3, rows: 3))
      #expect(try TestFiles.names(map) == mapEntries)
      #expect(try TestFiles.names(parent) == ["map"])
      #expect(report.picture == .init(width: 384, height: 384))
      #expect(report.sheetCount == 6)
    }
  }

  @Test("a map is replaced, and what isn't a map's moves over")
  func replaced() throws {
    try withDestination { map, parent in
      var contents = try SampleMap.contents(columns: 9, rows: 9)
      let writer = MapWriter(destination: map)
      try writer.write(contents)
      try TestFiles.make(map.appending("index.sqlite"), content: "precious")
      try TestFiles.make(map.appending("notes/today.txt"), content: "mine")
      contents = try SampleMap.contents(columns: 2, rows: 2)
      contents.programVersion = "second"
      try writer.check()
      try writer.write(contents)
      #expect(try TestFiles.names(parent) == ["map"])
      #expect(try TestFiles.names(map) == (mapEntries + ["index.sqlite", "notes"]).sorted())
      #expect(try TestFiles.text(map.appending("index.sqlite")) == "precious")
      #expect(try TestFiles.text(map.appending("notes/today.txt")) == "mine")
      #expect(try TestFiles.text(map.appending("map.json")).contains("second"))
      #expect(try TestFiles.names(map.appending("tiles/7")) == ["0"])
    }
  }

  @Test("a folder with nothing but an index is ours")
  func indexOnly() throws {
    try withDestination { map, _ in
      try TestFiles.make(map.appending("index.sqlite"))
      try TestFiles.make(map.appending("index.sqlite-wal"))
      try MapWriter(destination: map).write(SampleMap.contents(columns: 2, rows: 2))
      #expect(try TestFiles.names(map).contains("index.sqlite-wal"))
    }
  }

  @Test("someone else's folder is refused, and with force keeps its files")
  func foreign() throws {
    try withDestination { map, _ in
      try TestFiles.make(map.appending("thesis.txt"), content: "years of work")
      try TestFiles.make(map.appending("map.json"), content: #"{"program": "another"}"#)
      var writer = MapWriter(destination: map)
      expect(.foreignFolder) { try writer.check() }
      expect(.foreignFolder) { _ = try writer.write(SampleMap.contents(columns: 2, rows: 2)) }
      writer.replacesForeignFolder = true
      try writer.check()
      try writer.write(SampleMap.contents(columns: 2, rows: 2))
      #expect(try TestFiles.text(map.appending("thesis.txt")) == "years of work")
      #expect(try TestFiles.text(map.appending("map.json")).contains("kiano-gpu"))
    }
  }

  @Test("places where no map can be are refused, with the reason")
  func impossible() throws {
    try withDestination { map, parent in
      expect(.noParent) { try MapWriter(destination: map.appending("below")).check() }
      try TestFiles.make(map)
      expect(.notAFolder) { try MapWriter(destination: map).check() }
      var writer = MapWriter(destination: parent.appending("other"))
      writer.leafletFolder = parent
      expect(.leafletMissing) { try writer.check() }
      writer = MapWriter(destination: "/proc")
      writer.replacesForeignFolder = true
      expect(.irreplaceable(errno: EBUSY)) { try writer.check() }
      // Nobody may make folders there, not even root.
      guard case .unwritable? = failure({ try MapWriter(destination: "/proc/map").check() }) else {
        Issue.record("a map in /proc")
        return
      }
    }
  }

  @Test("a link to a map stays a link")
  func link() throws {
    try withDestination { map, parent in
      let target = parent.appending("target")
      try FileSystem.makeFolder(target)
      #expect(symlink("target", String(decoding: map.bytes, as: UTF8.self)) == 0)
      try MapWriter(destination: map).write(SampleMap.contents(columns: 2, rows: 2))
      try MapWriter(destination: map).write(SampleMap.contents(columns: 2, rows: 2))
      #expect(try FileSystem.kind(map) == .other)
      #expect(try TestFiles.names(target) == mapEntries)
      #expect(try TestFiles.names(parent) == ["map", "target"])
    }
  }

  @Test("a destination whose name isn't UTF-8, and a trailing slash")
  func oddName() throws {
    try withDestination { _, parent in
      let map = BytePath(parent.bytes + [0x2F, 0xFF, 0x0A, 0x22])
      try MapWriter(destination: BytePath(map.bytes + [0x2F])).write(SampleMap.contents(columns: 2, rows: 2))
      #expect(try FileSystem.names(in: parent) == [[0xFF, 0x0A, 0x22]])
    }
  }

  @Test("cancelling leaves the old map and nothing else", arguments: 0..<6)
  func cancelled(after calls: Int) throws {
    try withDestination { map, parent in
      try MapWriter(destination: map).write(SampleMap.contents(columns: 2, rows: 2))
      let before = try TestFiles.bytes(map.appending("map.json"))
      let counter = Counter()
      expect(.cancelled) {
        try MapWriter(destination: map).write(
          SampleMap.contents(columns: 20, rows: 20), isCancelled: { counter.next() >= calls })
      }
      #expect(try TestFiles.names(parent) == ["map"])
      #expect(try TestFiles.bytes(map.appending("map.json")) == before)
    }
  }

  @Test("an error leaves nothing; a damaged thumbnail costs its cell only")
  func thumbnails() throws {
    struct Lost: Error {}
    try withDestination { map, parent in
      var contents = try SampleMap.contents(columns: 4, rows: 4)
      let thumbnail = contents.thumbnails.full
      contents.thumbnails = MapThumbnails(
        full: { if $0 == 7 { throw Lost() } else { try thumbnail($0) } }, half: thumbnail)
      expect(.thumbnails("Lost()")) { try MapWriter(destination: map).write(contents) }
      #expect(try TestFiles.names(parent) == [])
      let damaged: @Sendable (Int) throws -> [UInt8] = { $0 == 7 ? [1, 2, 3] : try thumbnail($0) }
      contents.thumbnails = MapThumbnails(full: damaged, half: damaged)
      #expect(try MapWriter(destination: map).write(contents).damagedThumbnailCount == 1)
    }
  }

  @Test("what runs that were killed left behind is removed, but for files that aren't a map's")
  func leftovers() throws {
    try withDestination { map, parent in
      // No process has such a number; process 1 is always there.
      let dead = parent.appending(".map.partial-2147483647")
      let living = parent.appending(".map.partial-1")
      try TestFiles.make(dead.appending("tiles/7/0/0.jpg"))
      try TestFiles.make(dead.appending("index.sqlite"), content: "precious")
      try TestFiles.make(living.appending("map.json"))
      try TestFiles.make(parent.appending(".other.partial-2147483647/map.json"))
      try MapWriter(destination: map).write(SampleMap.contents(columns: 2, rows: 2))
      try MapWriter(destination: map).check()
      #expect(try TestFiles.names(parent) == [".map.partial-1", ".other.partial-2147483647", "map"])
      #expect(try TestFiles.text(map.appending("index.sqlite")) == "precious")
    }
  }

  @Test("an index is at its place at every moment, and stays the same file")
  func indexStays() throws {
    try withDestination { map, _ in
      let contents = try SampleMap.contents(columns: 2, rows: 2)
      try MapWriter(destination: map).write(contents)
      let index = map.appending("index.sqlite")
      try TestFiles.make(index, content: "precious")
      func inode() -> UInt64? {
        var status = stat()
        return index.withCString { stat($0, &status) } == 0 ? UInt64(status.st_ino) : nil
      }
      let first = inode()
      let isDone = Atomic<Bool>(false)
      let wasMissing = Atomic<Bool>(false)
      let watching = DispatchGroup()
      DispatchQueue.global().async(group: watching) {
        while !isDone.load(ordering: .relaxed) {
          if index.withCString({ access($0, F_OK) }) != 0 { wasMissing.store(true, ordering: .relaxed) }
        }
      }
      for _ in 0..<10 { try MapWriter(destination: map).write(contents) }
      isDone.store(true, ordering: .relaxed)
      watching.wait()
      let wasEverMissing = wasMissing.load(ordering: .relaxed)
      #expect(!wasEverMissing)
      #expect(inode() == first && first != nil)
    }
  }

  @Test("a map that was being replaced in two steps when its run was killed comes back")
  func halfWay() throws {
    try withDestination { map, parent in
      let aside = parent.appending(".map.partial-2147483647.old")
      try TestFiles.make(aside.appending("map.json"), content: "{\"program\": \"kiano-gpu\"}")
      try TestFiles.make(aside.appending("index.sqlite"), content: "precious")
      try MapWriter(destination: map).check()
      #expect(try TestFiles.names(parent) == ["map"])
      #expect(try TestFiles.text(map.appending("index.sqlite")) == "precious")
    }
  }

  @Test("progress grows to its end")
  func progress() throws {
    try withDestination { map, _ in
      var reports: [(done: Int, total: Int)] = []
      try MapWriter(destination: map).write(
        SampleMap.contents(columns: 20, rows: 20), progress: { reports.append(($0, $1)) })
      #expect(reports.map(\.done) == reports.map(\.done).sorted())
      #expect(reports.last.map { $0.done == $0.total } == true)
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
