import Foundation
import Imaging
import TestSupport
import Testing

@testable import Library

@Suite("Scanning")
struct LibraryScannerTests {
  /// A folder to scan, made of empty files.
  private struct Tree {
    let root: BytePath

    func add(_ names: String..., content: String = "") throws {
      for name in names { try add(Array(name.utf8), content: content) }
    }

    func add(_ name: [UInt8], content: String = "") throws {
      let path = root.appending(name)
      let slash = path.bytes.lastIndex(of: UInt8(ascii: "/"))!
      try FileManager.default.createDirectory(
        atPath: String(decoding: path.bytes[..<slash], as: UTF8.self), withIntermediateDirectories: true)
      let file = path.withCString { fopen($0, "w") }
      try #require(file != nil)
      fputs(content, file)
      fclose(file)
    }

    func link(_ name: String, to target: String) throws {
      try #require(symlink(target, String(decoding: root.appending(name).bytes, as: UTF8.self)) == 0)
    }

    /// Paths below the root that a scan lists.
    func names(_ result: ScanResult) -> [String] {
      result.files.map { String(decoding: $0.path.bytes.dropFirst(root.bytes.count + 1), as: UTF8.self) }
    }
  }

  private func withTree(_ body: (Tree) throws -> Void) throws {
    try Locations.withTemporaryFolder { try body(Tree(root: BytePath($0.path))) }
  }

  @Test("lists pictures by extension, sorted by bytes, and counts the rest")
  func kinds() throws {
    try withTree { tree in
      try tree.add("b.jpg", "a/z.PNG", "a/y.jfif", "B.HEIC", "a.webp", "c.jpg.jpg")
      try tree.add("m.MOV", "r.dng", "r.CR2", "s.xmp", "s.jpg.json", "t.pdf", "noextension", "x.jpg_original")
      let result = try LibraryScanner().scan([tree.root])
      #expect(tree.names(result) == ["B.HEIC", "a/y.jfif", "a/z.PNG", "a.webp", "b.jpg", "c.jpg.jpg"])
      #expect(result.skipped == [.video: 1, .raw: 2, .sidecar: 2, .other: 3])
      #expect(result.failures.isEmpty)
      #expect(result.folderCount == 2)
    }
  }

  @Test("leaves out hidden files, system folders, and what is below .nomedia")
  func leftOut() throws {
    try withTree { tree in
      try tree.add(
        ".hidden.jpg", "._a.jpg", ".thumbnails/x.jpg", "@eaDir/a.jpg/x.jpg", "Thumbs.db", ".DS_Store",
        "$RECYCLE.BIN/x.jpg", "#recycle/x.jpg", "lost+found/x.jpg", ".Trash-1000/x.jpg", "no/.nomedia", "no/deep/x.jpg",
        "yes/a.jpg")
      let result = try LibraryScanner().scan([tree.root])
      #expect(tree.names(result) == ["yes/a.jpg"])
      #expect(result.skipped == [.hidden: 5, .system: 5, .noMedia: 1])
    }
  }

  @Test("leaves out maps of this program, and what the caller says")
  func ownOutput() throws {
    try withTree { tree in
      try tree.add("map/index.html", "map/tiles/0/0/0.jpg", "site/index.html", "site/a.jpg", "out/x.jpg")
      try tree.add("map/map.json", content: #"{"schema": 1, "program": {"name": "kiano-gpu"}}"#)
      try tree.add("site/map.json", content: "{}")
      var rules = ScanRules()
      rules.leavesOut = { $0.lastComponent.elementsEqual("out".utf8) }
      let result = try LibraryScanner(rules: rules).scan([tree.root])
      #expect(tree.names(result) == ["site/a.jpg"])
      #expect(result.skipped[.ownOutput] == 2)
    }
  }

  @Test("doesn't follow links unless told to, and then ends in spite of loops")
  func links() throws {
    try withTree { tree in
      try tree.add("a/one.jpg", "b/two.jpg")
      try tree.link("a/up", to: "..")
      try tree.link("self", to: "self")
      try tree.link("dangling.jpg", to: "missing.jpg")
      try tree.link("one-again.jpg", to: "a/one.jpg")
      try tree.link("zero.jpg", to: "/dev/zero")
      let plain = try LibraryScanner().scan([tree.root])
      #expect(tree.names(plain) == ["a/one.jpg", "b/two.jpg"])
      #expect(plain.skipped == [.link: 5])
      var rules = ScanRules()
      rules.followsLinks = true
      let followed = try LibraryScanner(rules: rules).scan([tree.root])
      #expect(tree.names(followed) == ["a/one.jpg", "b/two.jpg"])
      #expect(followed.skipped == [.repeated: 2, .link: 2, .special: 1])
      #expect(followed.failures.isEmpty)
    }
  }

  @Test("follows a root that is a link")
  func linkedRoot() throws {
    try withTree { tree in
      try tree.add("real/a.jpg")
      try tree.link("root", to: "real")
      #expect(try tree.names(LibraryScanner().scan([tree.root.appending("root")])) == ["root/a.jpg"])
    }
  }

  @Test("ignores pipes and sockets, and folders named like pictures are folders")
  func special() throws {
    try withTree { tree in
      try tree.add("dir.jpg/a.jpg")
      try #require(tree.root.appending("pipe.jpg").withCString { mkfifo($0, 0o600) } == 0)
      let result = try LibraryScanner().scan([tree.root])
      #expect(tree.names(result) == ["dir.jpg/a.jpg"])
      #expect(result.skipped == [.special: 1])
    }
  }

  @Test("lists each file of overlapping roots once")
  func overlapping() throws {
    try withTree { tree in
      try tree.add("a/b/x.jpg", "a/y.jpg")
      let folder = tree.root.appending("a")
      let inner = tree.root.appending("a/../a/b")
      let file = tree.root.appending("a/y.jpg")
      #expect(try tree.names(LibraryScanner().scan([folder, inner, folder])) == ["a/b/x.jpg", "a/y.jpg"])
      #expect(try tree.names(LibraryScanner().scan([inner, folder])) == ["a/../a/b/x.jpg", "a/y.jpg"])
      #expect(try tree.names(LibraryScanner().scan([folder, file, file])) == ["a/b/x.jpg", "a/y.jpg"])
    }
  }

  @Test("lists hard links, which are files of their own")
  func hardLinks() throws {
    try withTree { tree in
      try tree.add("a.jpg")
      let root = URL(fileURLWithPath: tree.root.description)
      try FileManager.default.linkItem(
        at: root.appendingPathComponent("a.jpg"), to: root.appendingPathComponent("b.jpg"))
      #expect(try tree.names(LibraryScanner().scan([tree.root, tree.root.appending("a.jpg")])) == ["b.jpg", "a.jpg"])
    }
  }

  @Test("a missing root is an error of its own")
  func missingRoot() throws {
    #expect(throws: ScanError.unreadableRoot("/nowhere/at/all", errno: ENOENT)) {
      try LibraryScanner().scan(["/nowhere/at/all"])
    }
    #expect(throws: ScanError.unsuitableRoot("/dev/null")) { try LibraryScanner().scan(["/dev/null"]) }
    #expect(throws: ScanError.cancelled) { try LibraryScanner().scan(["/"], isCancelled: { true }) }
  }

  @Test("reports folders that can't be read, and goes on", .enabled(if: getuid() != 0, "root reads every folder"))
  func unreadable() throws {
    try withTree { tree in
      try tree.add("locked/a.jpg", "open/b.jpg")
      let locked = tree.root.appending("locked")
      _ = locked.withCString { chmod($0, 0) }
      defer { _ = locked.withCString { chmod($0, 0o700) } }
      let result = try LibraryScanner().scan([tree.root])
      #expect(tree.names(result) == ["open/b.jpg"])
      #expect(result.failures == [ScanFailure(path: locked, errno: EACCES)])
    }
  }

  @Test("takes names that aren't UTF-8 as they are")
  func oddNames() throws {
    try withTree { tree in
      let names: [[UInt8]] = [[0x0A], [0x20], [0xC3, 0x28], [0xFF]].map { $0 + Array(".jpg".utf8) }
      for name in names { try tree.add(name) }
      let result = try LibraryScanner().scan([tree.root])
      #expect(result.files.map { Array($0.path.lastComponent) } == names)
    }
  }

  @Test("reports size, time and identity")
  func details() throws {
    try withTree { tree in
      try tree.add("a.jpg", content: "12345")
      let path = tree.root.appending("a.jpg")
      var status = stat()
      _ = path.withCString { stat($0, &status) }
      let file = try #require(try LibraryScanner().scan([path]).files.first)
      #expect(file.path == path)
      #expect(file.size == 5)
      #expect(file.inode == UInt64(status.st_ino))
      #expect(file.device == UInt64(status.st_dev))
      #expect(file.modifiedNanoseconds == Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }

  @Test("looks into files without a picture's extension when told to")
  func unknownFiles() throws {
    try withTree { tree in
      try tree.add("photo", "photo.jpg_original", content: "GIF89a")
      try tree.add("text", content: "hello")
      var rules = ScanRules()
      rules.looksIntoUnknownFiles = true
      let result = try LibraryScanner(rules: rules).scan([tree.root])
      #expect(tree.names(result) == ["photo", "photo.jpg_original"])
      #expect(result.skipped == [.other: 1])
    }
  }

  @Test("skips what the corpus says must be skipped", .enabled(if: Locations.shared != nil, "no corpus"))
  func corpus() throws {
    let folder = Locations.shared!.appendingPathComponent("corpus")
    let manifest = try String(contentsOf: folder.appendingPathComponent("MANIFEST.tsv"), encoding: .utf8)
    let result = try LibraryScanner().scan([BytePath(folder.path)])
    let listed = Set(result.files.map { String(decoding: $0.path.bytes, as: UTF8.self) })
    for line in manifest.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let path = folder.appendingPathComponent(String(fields[0])).path
      switch fields[6] {
      case "skip": #expect(!listed.contains(path), "\(path)")
      case "decode", "error": #expect(listed.contains(path), "\(path)")
      default: break
      }
    }
    #expect(result.failures.isEmpty)
  }
}
