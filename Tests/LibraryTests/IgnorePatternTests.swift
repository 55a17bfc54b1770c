import Foundation
import Imaging
import TestSupport
import Testing

@testable import Library

@Suite("Ignore patterns")
struct IgnorePatternTests {
  private func matches(_ line: String, _ path: String, isFolder: Bool = false) -> Bool? {
    let bytes = Array(path.utf8)[...]
    let name = bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    return IgnorePattern(line: line.utf8)?.matches(path: bytes, name: name, isFolder: isFolder)
  }

  @Test(
    "match as .gitignore's do",
    arguments: [
      ("a.jpg", "a.jpg", true), ("a.jpg", "x/y/a.jpg", true), ("a.jpg", "ba.jpg", false), ("/a.jpg", "a.jpg", true),
      ("/a.jpg", "x/a.jpg", false), ("x/a.jpg", "x/a.jpg", true), ("x/a.jpg", "y/x/a.jpg", false),
      ("*.jpg", "x/a.jpg", true), ("*.jpg", "a.jpeg", false), ("x/*.jpg", "x/a.jpg", true),
      ("x/*.jpg", "x/y/a.jpg", false), ("x*", "xyz", true), ("*", "anything", true), ("a*b*c", "aXbYc", true),
      ("a*b*c", "acb", false), ("?.jpg", "a.jpg", true), ("?.jpg", "ab.jpg", false), ("x?y/", "x/y", false),
      ("[a-c].jpg", "b.jpg", true), ("[a-c].jpg", "d.jpg", false), ("[!a-c].jpg", "d.jpg", true),
      ("[^a-c].jpg", "b.jpg", false), ("[]x].jpg", "].jpg", true), ("[a\\]b]", "]", true), ("[a-]", "-", true),
      ("x[!a]y/z", "x/y/z", false), ("**/x", "x", true), ("**/x", "a/b/x", true), ("**/x/y", "a/x/y", true),
      ("**/x/y", "ax/y", false), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "ab", false),
      ("a/**", "a/x/y", true), ("a/**", "a", false), ("**", "x", true), ("a/**b", "a/xb", true),
      ("a/**b", "a/x/b", false), ("\\*.jpg", "*.jpg", true), ("\\*.jpg", "a.jpg", false), ("\\#a", "#a", true),
      ("\\!a", "!a", true), ("a\\ ", "a ", true), ("a  ", "a", true), ("a\r", "a", true), ("A.jpg", "a.jpg", false),
    ] as [(String, String, Bool)])
  func pattern(_ line: String, _ path: String, _ expected: Bool) {
    #expect(matches(line, path) == (line.hasSuffix("/") ? false : expected))
  }

  @Test("a slash at the end means folders only; an exclamation mark takes")
  func kinds() {
    #expect(matches("x/", "a/x", isFolder: true) == true)
    #expect(matches("x/", "a/x", isFolder: false) == false)
    #expect(matches("/x/", "a/x", isFolder: true) == false)
    #expect(matches("x?y/", "a/x-y", isFolder: true) == true)
    #expect(IgnorePattern(line: "!a".utf8)?.takes == true)
    #expect(IgnorePattern(argument: "!a".utf8, takes: false)?.takes == false)
  }

  @Test("comments, empty lines and sets without an end are none", arguments: ["", "# x", "/", "!", "[ab", "  "])
  func none(_ line: String) {
    #expect(IgnorePattern(line: line.utf8) == nil)
  }

  @Test("bytes that aren't UTF-8 are matched as they are")
  func bytes() {
    let pattern = IgnorePattern(line: [0xFF, UInt8(ascii: "*")])
    #expect(pattern?.matches(path: [0xFF, 0xFE], name: [0xFF, 0xFE], isFolder: false) == true)
  }

  @Test("no pattern takes long")
  func stars() {
    let line = String(repeating: "*a", count: 200) + "b"
    #expect(matches(line, String(repeating: "a", count: 2000)) == false)
    #expect(matches(String(repeating: "**/", count: 200) + "b", String(repeating: "a/", count: 1000) + "a") == false)
  }

  /// The C library's matcher agrees where it knows as much: without `**` and for names of plain letters.
  @Test("100,000 random patterns match as the C library's fnmatch does")
  func fnmatchAgrees() {
    var random = SystemIndependentGenerator(state: 17)
    func text(_ alphabet: [String], _ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random)).map { _ in alphabet.randomElement(using: &random)! }.joined()
    }
    for _ in 0..<100_000 {
      let pattern = text(["a", "b", "/", "*", "?", "[ab]", "[!a]", "[a-b]", "\\*"], 1...7)
      let path = text(["a", "b", "a", "b", "/", "*"], 1...8)
      // A pattern of a name only, two stars, and slashes at an end mean something else to us.
      let isComparable =
        pattern.dropFirst().dropLast().contains("/") && !pattern.contains("**") && !pattern.hasPrefix("/")
        && !pattern.hasSuffix("/") && !path.hasSuffix("/") && !path.hasPrefix("/") && !path.contains("//")
        && !pattern.contains("//")
      guard isComparable else { continue }
      #expect(
        matches(pattern, path) == (fnmatch(pattern, path, FNM_PATHNAME) == 0), "\(pattern) and \(path)")
    }
  }

  @Test(
    "lists of random bytes are split as they should, wherever a buffer ends",
    arguments: [PathList.Separator.newline, .zero])
  func lists(separator: PathList.Separator) throws {
    var random = SystemIndependentGenerator(state: 29)
    // Few kinds of bytes, so that separators are frequent, and stretches without any.
    let bytes = (0..<3_000_000).map { index in
      index / 40_000 % 5 == 4 ? UInt8(ascii: "x") : [0, 0x0A, 0x0D, 0xFF, 0x41, 0x42].randomElement(using: &random)!
    }
    try Locations.withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("list")
      try Data(bytes).write(to: file)
      let list = try PathList(BytePath(file.path), separator: separator)
      var count = 0
      for expected in bytes.split(separator: separator.rawValue) {
        if try list.next() != BytePath(expected) { Issue.record("entry \(count) is another") }
        count += 1
      }
      #expect(try list.next() == nil)
      #expect(count > 100_000)
    }
  }
}

/// A generator that gives the same numbers at each run (Steele, Lea, Flood 2014).
private struct SystemIndependentGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
