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
}
