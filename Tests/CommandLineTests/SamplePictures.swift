import Foundation
import Imaging

@testable import Features

extension Program {
  /// Makes pictures of plain colours with a little pattern, half of them PNG, half JPEG; returns their names.
  @discardableResult
  func makePictures(_ count: Int, in folder: String) throws -> [String] {
    let encoder = try JPEGEncoder()
    return try (0..<count).map { index in
      let (width, height) = (40 + index % 7, 30 + index % 5)
      var pixels: [UInt8] = []
      for y in 0..<height {
        for x in 0..<width {
          let shade = (x / 8 + y / 8) % 2 * 40
          pixels += [index * 37 % 200, index * 91 % 200, index * 53 % 200].map { UInt8($0 + shade) }
        }
      }
      let image = RGBImage(width: width, height: height, pixels: pixels)
      let name = "\(folder)/\(index).\(index % 2 == 0 ? "png" : "jpg")"
      try write(name, [])
      if index % 2 == 0 {
        try PNGWriter.write(image, to: BytePath(file(name).path))
      } else {
        try write(name, try encoder.encode(image))
      }
      return name
    }
  }

  /// Writes an array that NumPy can read.
  func writeArray(_ name: String, _ array: NPYArray) throws {
    try write(name, array.encoded())
  }
}

/// The parts of `map.json` that tests look at.
struct MapJSON: Decodable {
  struct Grid: Decodable {
    let columns: Int
    let rows: Int
    let torus: Bool
  }
  struct Picture: Decodable {
    let path: String
    let width: Int
    let height: Int
  }
  let grid: Grid
  let pictures: [Picture]
  let cells: [Int]
  let checksum: String
  let failures: Int

  init(_ folder: URL) throws {
    self = try JSONDecoder().decode(MapJSON.self, from: Data(contentsOf: folder.appendingPathComponent("map.json")))
  }
}
