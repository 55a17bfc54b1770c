import Foundation
import Imaging
import Sorting
import TestSupport
import Testing

@testable import Atlas

@Suite("Files for other programs")
struct MapDocumentTests {
  private static let names: [[UInt8]] = [
    Array(#"/p/quote " \ <script>.jpg"#.utf8), Array("/p/line\nbreak\ttab.jpg".utf8), Array("/p/😀 é.jpg".utf8),
    [0x2F, 0x70, 0x2F, 0xFF, 0xFE, 0x01, 0x2E, 0x6A], Array("/p/#%41?.jpg".utf8), [0x2F, 0xC3, 0x28],
  ]

  private func document(_ contents: MapContents) throws -> [String: Any] {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.path).appending("map.json")
      try MapDocument(contents).write(to: path, seconds: [(stage: "reading", seconds: 1.5)])
      let head = String(decoding: try FileSystem.read(path, count: 512), as: UTF8.self)
      #expect(head.contains(#""program""#) && head.contains("kiano-gpu"), "a scan must know the folder for a map")
      let object = try JSONSerialization.jsonObject(with: Data(TestFiles.bytes(path)))
      return try #require(object as? [String: Any])
    }
  }

  @Test("map.json says what the map is")
  func members() throws {
    var contents = try SampleMap.contents(columns: 3, rows: 2, holes: 1, edges: .open)
    contents.settings.seed = .max
    contents.quality = .init(dpq16: 0.875, random: 0.125)
    contents.device = "a device"
    contents.failures = [MapFailure(path: "/x", reason: "is empty")]
    contents.skipped = ["video": 2]
    let map = try document(contents)
    #expect(map["schema"] as? Int == 1)
    #expect(map["program"] as? [String: String] == ["name": "kiano-gpu", "version": "1.2.3"])
    #expect(map["grid"] as? NSDictionary == ["columns": 3, "rows": 2, "torus": false])
    #expect(map["seed"] as? String == "18446744073709551615")
    #expect(map["checksum"] as? String == contents.arrangement.checksum)
    #expect(map["device"] as? String == "a device")
    #expect(map["quality"] as? [String: Double] == ["dpq16": 0.875, "random": 0.125])
    #expect(map["seconds"] as? [String: Double] == ["reading": 1.5])
    #expect(map["skipped"] as? [String: Int] == ["video": 2])
    #expect(map["cells"] as? [Int] == [0, 1, 2, 3, 4, -1])
    let settings = try #require(map["settings"] as? [String: Any])
    #expect(settings["groupSize"] as? Int == SortingSettings().groupSize && settings["contentWeight"] as? Double == 0.5)
  }

  @Test("paths come back byte for byte, whatever they are")
  func hostilePaths() throws {
    let contents = try SampleMap.contents(columns: Self.names.count, rows: 1) { BytePath(Self.names[$0]) }
    let pictures = try #require(document(contents)["pictures"] as? [[String: Any]])
    for (picture, name) in zip(pictures, Self.names) {
      let base64 = picture["path_base64"] as? String
      #expect((base64 == nil) == BytePath(name).isUTF8)
      let text = try #require(picture["path"] as? String)
      let bytes = try #require(base64.map { Data(base64Encoded: $0) } ?? Data(text.utf8))
      #expect(Array(bytes) == name)
      #expect(picture["status"] as? String == "ok")
    }
  }

  @Test("failures.tsv has a row for each file, whatever its name")
  func failures() throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.path).appending("failures.tsv")
      try FailureTable.write(Self.names.map { MapFailure(path: BytePath($0), reason: "a\tb\nc") }, to: path)
      let rows = try TestFiles.bytes(path).split(separator: 0x0A)
      #expect(rows.count == 1 + Self.names.count)
      #expect(rows[0].first == UInt8(ascii: "#"))
      for (row, name) in zip(rows.dropFirst(), Self.names) {
        let fields = row.split(separator: 0x09)
        try #require(fields.count == 2)
        #expect(Self.unescaped(fields[0]) == name)
        #expect(Self.unescaped(fields[1]) == Array("a\tb\nc".utf8))
      }
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let meanings: [UInt8: UInt8] = [0x74: 0x09, 0x6E: 0x0A, 0x72: 0x0D, 0x5C: 0x5C]
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if !isEscaped, byte == 0x5C {
        isEscaped = true
        continue
      }
      result.append(isEscaped ? meanings[byte]! : byte)
      isEscaped = false
    }
    return result
  }
}
