import Testing

@testable import Imaging

@Suite("Paths")
struct BytePathTests {
  @Test("show control characters and bytes that aren't UTF-8 escaped")
  func displayName() {
    #expect(BytePath("Übersicht 写真 🌄.jpg").displayName == "Übersicht 写真 🌄.jpg")
    #expect(BytePath("a\u{1B}[2J\n.jpg").displayName == "a\\x1b[2J\\x0a.jpg")
    #expect(BytePath([0x61, 0xFF, 0xC3, 0x28]).displayName == "a\\xff\\xc3(")
    #expect(BytePath("e\u{301}\u{202E}x").displayName == "e\u{301}\\xe2\\x80\\xaex")
  }

  @Test("know their last component and extension")
  func components() {
    #expect(Array(BytePath("/a/b.JPG").lastComponent) == Array("b.JPG".utf8))
    #expect(Array(BytePath("/a/b/").lastComponent) == Array("b".utf8))
    #expect(BytePath("/").lastComponent.isEmpty)
    #expect(BytePath("/a.b/c").fileExtension == nil)
    #expect(BytePath("/a/b.JPG").fileExtension == "jpg")
    #expect(BytePath(".profile").fileExtension == nil)
    #expect(BytePath("x.").fileExtension == nil)
    #expect(BytePath([0x2E, 0x61, 0x2E, 0xFF]).fileExtension == nil)
  }

  @Test("are joined with one slash")
  func appending() {
    #expect(BytePath("a").appending("b") == "a/b")
    #expect(BytePath("/").appending("b") == "/b")
    #expect(BytePath("").appending("b") == "b")
  }

  @Test("go to base64 and say whether they are text")
  func bytes() {
    #expect(BytePath([0xFF]).isUTF8 == false)
    #expect(BytePath("ü").isUTF8)
    #expect(BytePath([0xFF, 0x61]).base64 == "/2E=")
  }
}
