import Foundation
import Imaging
import Sorting
import TestSupport
import Testing

@testable import Atlas

private let browserMaps = ProcessInfo.processInfo.environment["KIANO_BROWSER_MAPS"].map { BytePath($0) }

/// Makes the maps that `Tests/BrowserTests` opens, where `KIANO_BROWSER_MAPS` names a folder for them.
@Suite("Maps for the browser tests")
struct BrowserMapTests {
  /// What can go wrong between a name and a page.
  private static let names: [[UInt8]] = [
    Array(#"quote " ' \ `.jpg"#.utf8), Array("<script>alert(1)</script>".utf8.map { $0 == 0x2F ? 0x5F : $0 }),
    Array("<img src=x onerror=alert(1)>.jpg".utf8), Array("#hash?query&amp;.jpg".utf8), Array("100%25 %zz.jpg".utf8),
    Array("line\nbreak.jpg".utf8), [0xFF, 0xFE, 0x20, 0xC3, 0x2E, 0x6A, 0x70, 0x67], Array("😀 é.jpg".utf8),
    Array("javascript:alert(1).jpg".utf8), Array("${x} {{y}}.jpg".utf8), Array("\u{202E}gpj.jpg".utf8),
  ]
  /// These two have the same vectors.
  private static let twins = (first: 3, second: 100)

  @Test(
    "a map", .enabled(if: browserMaps != nil, "KIANO_BROWSER_MAPS isn't set"),
    arguments: [("endless", Grid.Edges.torus, 13, 11), ("bounded", .open, 13, 11), ("wide", .torus, 300, 70)])
  func map(name: String, edges: Grid.Edges, columns: Int, rows: Int) throws {
    let folder = browserMaps!
    var contents = try SampleMap.contents(columns: columns, rows: rows, holes: 2, edges: edges) { picture in
      picture < Self.names.count
        ? folder.appending("originals").appending(Self.names[picture])
        : folder.appending("originals/picture \(picture).jpg")
    }
    let thumbnail = contents.thumbnails.full
    if name == "endless" {
      try FileManager.default.createDirectory(
        atPath: String(decoding: folder.appending("originals").bytes, as: UTF8.self), withIntermediateDirectories: true)
      for (index, picture) in contents.pictures.enumerated() {
        try FileWriter.write(thumbnail(index), to: picture.path)
      }
    }
    contents.pictures = contents.pictures.enumerated().map { index, picture in
      MapPicture(
        path: picture.path, width: picture.width, height: picture.height,
        takenAt: index % 3 == 0 ? "2021-07-\(10 + index % 20)T12:34:56" : nil, isPartial: index == 5)
    }
    contents.vectors = Self.vectors(contents.pictures.count)
    contents.failures = Self.names.map { MapFailure(path: folder.appending($0), reason: "is empty") }
    try MapWriter(destination: folder.appending(name)).write(contents)
  }

  private static func vectors(_ count: Int) -> MapVectors {
    var state: UInt64 = 1
    let bytes = (0..<count * 114).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    var (content, appearance) = (Array(bytes[..<(count * 64)]), Array(bytes[(count * 64)...]))
    content.replaceSubrange(
      twins.second * 64..<(twins.second + 1) * 64, with: content[twins.first * 64..<(twins.first + 1) * 64])
    appearance.replaceSubrange(
      twins.second * 50..<(twins.second + 1) * 50, with: appearance[twins.first * 50..<(twins.first + 1) * 50])
    return MapVectors(content: content, contentDimensions: 64, appearance: appearance, appearanceDimensions: 50)
  }
}
