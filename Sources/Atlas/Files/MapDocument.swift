import Foundation
import Imaging
import Sorting

/// `map.json`: the arrangement, for other programs.
struct MapDocument {
  /// Of the document's layout; it grows when something changes its meaning.
  static let schema = 1

  private static let editionKey = "edition"
  private static let deviceKey = "device"

  private let contents: MapContents

  init(_ contents: MapContents) {
    self.contents = contents
  }

  /// What a document says of its map, of which these are the first bytes.
  static func summary(inHead head: [UInt8]) -> MapSummary? {
    // All of it comes before this key: what is before it is a document by itself.
    guard let end = head.firstRange(of: Array(",\n  \"\(deviceKey)\"".utf8))?.lowerBound else { return nil }
    return try? JSONDecoder().decode(MapSummary.self, from: Data(head[..<end] + [UInt8(ascii: "}")]))
  }

  /// - Parameter seconds: those of all stages.
  func write(to path: BytePath, seconds: [(stage: String, seconds: Double)]) throws(AtlasError) {
    let file = try FileWriter(path)
    var json = JSONWriter(file)
    try json.beginObject(lines: true)
    try json.key("schema")
    try json.value(Self.schema)
    // By the program's name near the start of the document a map is known for one.
    try json.key("program")
    try json.beginObject()
    try json.key("name")
    try json.value("kiano-gpu")
    try json.key("version")
    try json.value(contents.programVersion)
    try json.end()
    // Among the first bytes, so that it can be found without reading the rest.
    if let edition = contents.edition {
      try json.key(Self.editionKey)
      try json.value(edition)
    }
    try writeArrangement(&json)
    try writeRun(&json, seconds: seconds)
    try writePictures(&json)
    try writeCells(&json)
    try json.end()
    try file.write("\n")
    try file.finish()
  }

  private func writeArrangement(_ json: inout JSONWriter) throws(AtlasError) {
    let grid = contents.arrangement.grid
    try json.key("grid")
    try json.beginObject()
    try json.key("columns")
    try json.value(grid.columns)
    try json.key("rows")
    try json.value(grid.rows)
    try json.key("torus")
    try json.value(grid.edges == .torus)
    try json.end()
    try json.key("settings")
    try json.beginObject()
    try json.key("contentWeight")
    try json.value(contents.contentWeight)
    try json.key("groupSize")
    try json.value(contents.settings.groupSize)
    try json.key("passes")
    try json.value(contents.settings.passes)
    try json.key("decay")
    try json.value(contents.settings.decay)
    try json.end()
    // JavaScript and others read numbers of more than 53 bits wrongly.
    try json.key("seed")
    try json.value(String(contents.settings.seed))
    try json.key("checksum")
    try json.value(contents.arrangement.checksum)
  }

  private func writeRun(
    _ json: inout JSONWriter, seconds: [(stage: String, seconds: Double)]
  ) throws(AtlasError) {
    try json.key(Self.deviceKey)
    try json.value(contents.device)
    try json.key("quality")
    if let quality = contents.quality {
      try json.beginObject()
      try json.key("dpq16")
      try json.value(quality.dpq16)
      try json.key("random")
      try json.value(quality.random)
      try json.end()
    } else {
      try json.null()
    }
    try json.key("seconds")
    try json.beginObject()
    for (stage, seconds) in seconds {
      try json.key(stage)
      try json.value((seconds * 1e6).rounded() / 1e6)
    }
    try json.end()
    try json.key("failures")
    try json.value(contents.failures.count)
    try json.key("skipped")
    try json.beginObject()
    for (kind, count) in contents.skipped.sorted(by: { $0.key < $1.key }) {
      try json.key(kind)
      try json.value(count)
    }
    try json.end()
  }

  private func writePictures(_ json: inout JSONWriter) throws(AtlasError) {
    try json.key("pictures")
    try json.beginArray(lines: true)
    for picture in contents.pictures {
      try json.beginObject()
      try json.members(of: picture.path)
      try json.key("width")
      try json.value(picture.width)
      try json.key("height")
      try json.value(picture.height)
      try json.key("taken")
      if let takenAt = picture.takenAt { try json.value(takenAt) } else { try json.null() }
      try json.key("status")
      try json.value(picture.isPartial ? "partial" : "ok")
      try json.end()
    }
    try json.end()
  }

  /// All cells in one array, row by row; a line of the file is a row of the map.
  private func writeCells(_ json: inout JSONWriter) throws(AtlasError) {
    try json.key("cells")
    try json.beginArray()
    let columns = contents.arrangement.grid.columns
    for (cell, item) in contents.arrangement.items.enumerated() {
      try json.value(Int(item), startsLine: cell % columns == 0)
    }
    try json.end()
  }
}

/// What `map.json` says of a map as a whole.
public struct MapSummary: Sendable, Equatable, Decodable {
  /// The size of a map.
  public struct Size: Sendable, Equatable, Decodable {
    /// Cells in a row.
    public let columns: Int
    /// Cells in a column.
    public let rows: Int
  }
  /// See `MapContents.edition`; nil for a map of an earlier version.
  public let edition: String?
  /// Its size.
  public let grid: Size
  /// Of its arrangement.
  public let checksum: String
}
