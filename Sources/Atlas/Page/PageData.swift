import Features
import Foundation
import Imaging
import Sorting

/// `data/`: what the page knows, as scripts that hand it over, since a page from the disk can't fetch files.
///
/// | file | hands over |
/// |---|---|
/// | map.js | the grid with its cells, and what a page says of the whole map |
/// | pictures-N.js | path, size and date of the pictures N x 4096 and on |
/// | vectors-N.js | content and appearance vectors of the pictures N x 16384 and on, in base64 |
struct PageData {
  static let picturesPerChunk = 4096
  static let vectorsPerChunk = 16_384

  private let contents: MapContents
  private let workingFolder: BytePath

  init(_ contents: MapContents) {
    self.contents = contents
    workingFolder = FileSystem.resolved(".") ?? "/"
  }

  /// - Parameters:
  ///   - folder: the map's; `data` in it must not exist yet.
  ///   - title: what the map is called.
  func write(into folder: BytePath, title: String) throws(AtlasError) {
    let data = folder.appending("data")
    try FileSystem.makeFolder(data)
    try script(data.appending("map.js"), part: "map", number: 0) { (json) throws(AtlasError) in
      try writeMap(&json, title: title)
    }
    for (number, first) in stride(from: 0, to: contents.pictures.count, by: Self.picturesPerChunk).enumerated() {
      let pictures = contents.pictures[first..<min(first + Self.picturesPerChunk, contents.pictures.count)]
      try script(data.appending("pictures-\(number).js"), part: "pictures", number: number) {
        (json) throws(AtlasError) in try writePictures(pictures, &json)
      }
    }
    guard let vectors = contents.vectors else { return }
    for (number, first) in stride(from: 0, to: vectors.count, by: Self.vectorsPerChunk).enumerated() {
      let range = first..<min(first + Self.vectorsPerChunk, vectors.count)
      try script(data.appending("vectors-\(number).js"), part: "vectors", number: number) {
        (json) throws(AtlasError) in try writeVectors(vectors, range, &json)
      }
    }
  }

  /// One file: `kiano.receive(part, number, {...});`
  private func script(
    _ path: BytePath, part: String, number: Int, body: (inout JSONWriter) throws(AtlasError) -> Void
  ) throws(AtlasError) {
    let file = try FileWriter(path)
    try file.write("kiano.receive(\"\(part)\", \(number), ")
    var json = JSONWriter(file)
    try json.beginObject(lines: true)
    try body(&json)
    try json.end()
    try file.write(");\n")
    try file.finish()
  }

  private func writeMap(_ json: inout JSONWriter, title: String) throws(AtlasError) {
    let grid = contents.arrangement.grid
    let numbers: [(String, Int)] = [
      ("columns", grid.columns), ("rows", grid.rows), ("count", contents.pictures.count),
      ("failures", contents.failures.count), ("bottomLevel", Pyramid(grid: grid).bottomLevel),
      ("topLevel", Pyramid.topLevel), ("sheetSide", Pyramid.sheetSide), ("picturesPerChunk", Self.picturesPerChunk),
      ("vectorsPerChunk", Self.vectorsPerChunk), ("contentDimensions", contents.vectors?.contentDimensions ?? 0),
      ("appearanceDimensions", contents.vectors?.appearanceDimensions ?? 0),
    ]
    try json.key("title")
    try json.value(title)
    try json.key("version")
    try json.value(contents.programVersion)
    try json.key("torus")
    try json.value(grid.edges == .torus)
    for (name, number) in numbers {
      try json.key(name)
      try json.value(number)
    }
    try json.key("contentWeight")
    try json.value(contents.contentWeight)
    // What squared distances are divided by, so that both kinds compare.
    let scale = contents.vectors?.scale ?? DistanceScale(content: 1, appearance: 1)
    try json.key("contentScale")
    try json.value(scale.content)
    try json.key("appearanceScale")
    try json.value(scale.appearance)
    // 32 bits each, least significant byte first.
    try json.key("cells")
    let cells = contents.arrangement.items.map(\.littleEndian)
    try json.value(cells.withUnsafeBytes { Data($0).base64EncodedString() })
  }

  private func writePictures(_ pictures: ArraySlice<MapPicture>, _ json: inout JSONWriter) throws(AtlasError) {
    let paths = pictures.map { absolute($0.path) }
    try json.key("paths")
    try json.beginArray(lines: true)
    for path in paths { try json.value(String(decoding: path.bytes, as: UTF8.self)) }
    try json.end()
    // The bytes of those that aren't UTF-8.
    try json.key("bytes")
    try json.beginObject()
    for (index, path) in paths.enumerated() where !path.isUTF8 {
      try json.key(String(index))
      try json.value(path.base64)
    }
    try json.end()
    try json.key("taken")
    try json.beginArray()
    for picture in pictures { try json.value(picture.takenAt ?? "") }
    try json.end()
    for (name, member) in [("widths", \MapPicture.width), ("heights", \MapPicture.height)] {
      try json.key(name)
      try json.beginArray()
      for picture in pictures { try json.value(picture[keyPath: member]) }
      try json.end()
    }
    try json.key("partial")
    try json.beginArray()
    for (index, picture) in pictures.enumerated() where picture.isPartial { try json.value(index) }
    try json.end()
  }

  private func writeVectors(
    _ vectors: MapVectors, _ range: Range<Int>, _ json: inout JSONWriter
  ) throws(AtlasError) {
    for (name, bytes, dimensions) in [
      ("content", vectors.content, vectors.contentDimensions),
      ("appearance", vectors.appearance, vectors.appearanceDimensions),
    ] {
      try json.key(name)
      let part = bytes[range.lowerBound * dimensions..<range.upperBound * dimensions]
      try json.value(Data(part).base64EncodedString())
    }
  }

  /// A path that leads to the same file from everywhere.
  private func absolute(_ path: BytePath) -> BytePath {
    if path.bytes.first == UInt8(ascii: "/") { return path }
    return workingFolder.appending(path.bytes.starts(with: "./".utf8) ? path.bytes[2...] : path.bytes[...])
  }
}
