import Foundation
import Imaging
import Sorting

@testable import Atlas

/// Small maps of coloured cells.
enum SampleMap {
  /// A grid of `columns` x `rows` cells of which the last `holes` are empty; picture i lies in cell i.
  static func contents(
    columns: Int, rows: Int, holes: Int = 0, edges: Grid.Edges = .torus,
    path: (Int) -> BytePath = { BytePath("/photos/\($0).jpg") }
  ) throws -> MapContents {
    let count = columns * rows - holes
    let items = (0..<columns * rows).map { $0 < count ? Int32($0) : Arrangement.hole }
    let thumbnails = try (0..<count).map { try thumbnail(colour: colour($0)) }
    return MapContents(
      programVersion: "1.2.3",
      arrangement: Arrangement(grid: Grid(columns: columns, rows: rows, edges: edges), items: items),
      pictures: (0..<count).map { MapPicture(path: path($0), width: 4000, height: 3000) },
      thumbnails: MapThumbnails(full: { thumbnails[$0] }, half: { thumbnails[$0] }))
  }

  /// A colour that few other pictures have.
  static func colour(_ picture: Int) -> [UInt8] {
    [UInt8(40 + picture * 37 % 200), UInt8(40 + picture * 91 % 200), UInt8(40 + picture * 53 % 200)]
  }

  /// A JPEG file of one colour.
  static func thumbnail(colour: [UInt8], side: Int = 128) throws -> [UInt8] {
    try JPEGEncoder(quality: 95).encode(RGBImage(width: side, height: side, colour: colour))
  }
}

/// Files that tests look at.
enum TestFiles {
  static func bytes(_ path: BytePath) throws -> [UInt8] {
    try FileSystem.read(path)
  }

  static func text(_ path: BytePath) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  static func names(_ folder: BytePath) throws -> [String] {
    try FileSystem.names(in: folder).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  static func picture(_ path: BytePath) throws -> RGBImage {
    try PictureDecoder().decodeWhole(bytes(path), workspace: DecodingWorkspace())
  }

  /// Makes a file, and the folder that it is in.
  static func make(_ path: BytePath, content: String = "") throws {
    let folder = BytePath(path.bytes.dropLast(path.lastComponent.count))
    try FileManager.default.createDirectory(
      atPath: String(decoding: folder.bytes, as: UTF8.self), withIntermediateDirectories: true)
    try FileWriter.write(Array(content.utf8), to: path)
  }
}

extension RGBImage {
  /// The colour of a pixel.
  func colour(x: Int, y: Int) -> [UInt8] {
    Array(pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3])
  }
}
