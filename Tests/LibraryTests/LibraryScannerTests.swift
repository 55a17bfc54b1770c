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
      #expect(file.identity.size == 5)
      #expect(file.identity.inode == UInt64(status.st_ino))
      #expect(file.identity.device == UInt64(status.st_dev))
      #expect(
        file.identity.modifiedNanoseconds
          == Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
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

  private func scan(_ tree: Tree, _ change: (inout ScanRules) -> Void = { _ in }) throws -> ScanResult {
    var rules = ScanRules()
    change(&rules)
    return try LibraryScanner(rules: rules).scan([tree.root])
  }

  @Test("patterns of .kianoignore hold below their folder, the innermost first; those given go before all")
  func patterns() throws {
    try withTree { tree in
      try tree.add(".kianoignore", content: "*.png\n/top/\n# comment\n!.shown/\n")
      try tree.add("in/.kianoignore", content: "!keep.png\nb.jpg\n")
      try tree.add("a.jpg", "a.png", "top/x.jpg", "in/top/x.jpg", "in/keep.png", "in/a.png", "in/b.jpg", "b.jpg")
      try tree.add(".shown/x.jpg", ".hidden/x.jpg", "@eaDir/x.jpg")
      let own = try scan(tree)
      #expect(tree.names(own) == [".shown/x.jpg", "a.jpg", "b.jpg", "in/keep.png", "in/top/x.jpg"])
      #expect(own.skipped == [.excluded: 4, .hidden: 3, .system: 1])
      let given = try scan(tree) {
        $0.patterns = [
          IgnorePattern(argument: "/in".utf8, takes: false)!, IgnorePattern(argument: "a.png".utf8, takes: true)!,
          IgnorePattern(argument: "@eaDir".utf8, takes: true)!,
        ]
      }
      #expect(tree.names(given) == [".shown/x.jpg", "@eaDir/x.jpg", "a.jpg", "a.png", "b.jpg"])
    }
  }

  @Test("a .kianoignore that can't be read is a failure")
  func unreadablePatterns() throws {
    try withTree { tree in
      try tree.add("a.jpg", ".kianoignore/x")
      let result = try scan(tree)
      #expect(tree.names(result) == ["a.jpg"])
      #expect(result.failures == [ScanFailure(path: tree.root.appending(".kianoignore"), errno: EISDIR)])
    }
  }

  @Test("takes hidden files when told to, but not what systems leave beside pictures")
  func hidden() throws {
    try withTree { tree in
      try tree.add(".a.jpg", "._b.jpg", ".folder/c.jpg", ".Trash-1000/d.jpg", "@eaDir/e.jpg")
      #expect(try tree.names(scan(tree) { $0.takesHidden = true }) == [".a.jpg", ".folder/c.jpg"])
    }
  }

  @Test("goes no deeper than asked for", arguments: [(1, 1), (2, 2), (3, 3), (9, 3)])
  func depth(levels: Int, count: Int) throws {
    try withTree { tree in
      try tree.add("1.jpg", "a/2.jpg", "a/b/3.jpg")
      let result = try scan(tree) { $0.maximumDepth = levels }
      #expect(result.files.count == count)
      #expect(result.skipped[.tooDeep] == (count < 3 ? 1 : nil))
    }
  }

  @Test("stays on a root's file system when told to")
  func fileSystems() throws {
    var (own, other) = (stat(), stat())
    guard stat("/", &own) == 0, stat("/proc", &other) == 0, own.st_dev != other.st_dev else { return }
    try withTree { tree in
      try tree.add("a.jpg")
      try tree.link("proc", to: "/proc/self/fdinfo")
      let result = try scan(tree) {
        $0.followsLinks = true
        $0.staysOnFileSystem = true
      }
      #expect(tree.names(result) == ["a.jpg"])
      #expect(result.skipped == [.otherFileSystem: 1])
    }
  }

  @Test("takes a list of files instead", arguments: [PathList.Separator.newline, .zero])
  func list(separator: PathList.Separator) throws {
    try withTree { tree in
      try tree.add("b.jpg", ".hidden.jpg", "c.mov")
      try tree.add([0xFF] + Array(".jpg".utf8))
      try tree.add("folder.jpg/x")
      let names = [Array("b.jpg".utf8), [], [0xFF] + Array(".jpg".utf8), Array(".hidden.jpg".utf8)]
      let others = ["missing.jpg", "folder.jpg", "c.mov"].map { Array($0.utf8) }
      let paths = (names + others).map { $0.isEmpty ? [] : tree.root.appending($0).bytes }
      try tree.add(Array("list".utf8))
      let list = tree.root.appending("list")
      let content = Data(paths.joined(separator: [separator.rawValue]))
      try content.write(to: URL(fileURLWithPath: list.description))
      let result = try LibraryScanner().scan(PathList(list, separator: separator))
      #expect(result.files.map { Array($0.path.lastComponent) } == names.filter { !$0.isEmpty })
      #expect(result.failures.map(\.errno) == [ENOENT, EISDIR])
      #expect(result.skipped == [.video: 1])
    }
  }

  @Test("lists longer than a buffer are read whole; what isn't a list is refused")
  func longList() throws {
    try withTree { tree in
      let list = tree.root.appending("list")
      let lines = (0..<20_000).map { "/somewhere/in/a/folder/\($0).jpg" }
      try tree.add("list", content: lines.joined(separator: "\n"))
      let reader = try PathList(list, separator: .newline)
      var count = 0
      while let path = try reader.next() {
        if path != BytePath(lines[count]) { Issue.record("line \(count) is \(path)") }
        count += 1
      }
      #expect(count == lines.count)
      try tree.add("long", content: String(repeating: "x", count: 200_000))
      #expect(throws: ScanError.unreadableList(tree.root.appending("long"), errno: ENAMETOOLONG)) {
        _ = try PathList(tree.root.appending("long"), separator: .newline).next()
      }
      #expect(throws: ScanError.unreadableList("/nowhere", errno: ENOENT)) {
        try PathList("/nowhere", separator: .zero)
      }
    }
  }
}
