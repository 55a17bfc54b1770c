import Foundation
import Imaging
import TestSupport
import Testing

@testable import Atlas

@Suite("Writing JSON")
struct JSONWriterTests {
  /// What Foundation reads of what `body` wrote.
  private func read(_ body: (inout JSONWriter) throws -> Void) throws -> Any {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.path).appending("document.json")
      let file = try FileWriter(path)
      var json = JSONWriter(file)
      try body(&json)
      try file.finish()
      return try JSONSerialization.jsonObject(with: Data(TestFiles.bytes(path)), options: .fragmentsAllowed)
    }
  }

  @Test(
    "any text comes back as it was",
    arguments: [
      "", "plain", #"quotes " and \ backslashes \" \\"#, "line\nbreak\r\n\ttab", "\u{0}\u{1}\u{1F}\u{7F}\u{80}\u{9F}",
      "emoji 👩‍👩‍👧 and é e\u{301}", "\u{2028}\u{2029}\u{202E}", "</script><!--", "\u{FFFF}\u{10FFFF}",
    ])
  func text(_ text: String) throws {
    let result = try read { json in
      try json.beginObject(lines: true)
      try json.key(text)
      try json.value(text)
      try json.end()
    }
    #expect((result as? [String: String])?[text] == text)
  }

  @Test("values of all kinds, nested, with and without lines", arguments: [true, false])
  func nesting(lines: Bool) throws {
    let result = try read { json in
      try json.beginArray(lines: lines)
      try json.value(-3)
      try json.value(1e-7)
      try json.value(Double.nan)
      try json.value(true)
      try json.null()
      try json.beginArray(lines: lines)
      try json.end()
      try json.beginObject(lines: !lines)
      try json.key("a")
      try json.beginArray()
      try json.value(1, startsLine: true)
      try json.value(2)
      try json.end()
      try json.key("b")
      try json.beginObject()
      try json.end()
      try json.end()
      try json.end()
    }
    let expected: NSArray = [
      -3, 1e-7, NSNull(), true, NSNull(), [] as NSArray, ["a": [1, 2], "b": [:] as NSDictionary] as NSDictionary,
    ]
    #expect(result as? NSArray == expected)
  }

  @Test("a document larger than the writer's memory")
  func large() throws {
    let result = try read { json in
      try json.beginArray(lines: true)
      for number in 0..<100_000 { try json.value(number) }
      try json.end()
    }
    #expect((result as? [Int]) == Array(0..<100_000))
  }
}
