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

  /// A file of a narrow network that looks like nothing, in PyTorch's naming.
  func writeNetwork(_ name: String, without missing: String? = nil, seed: UInt64 = 1) throws {
    let description = NetworkDescription(widthMultiplier: 0.35, inputSize: 96, padding: .symmetric, scaling: .imageNet)
    var seed = seed
    let weights = NetworkWeights(description: description) { layer in
      seed += 2
      let scale = (6 / Float(layer.taps)).squareRoot()
      var generator = SplitMix64(state: seed)
      return (
        (0..<layer.taps * layer.outputs).map { _ in Float.random(in: -scale...scale, using: &generator) },
        (0..<layer.outputs).map { _ in Float.random(in: -0.3...0.3, using: &generator) }
      )
    }
    var tensors: [String: Tensor] = [:]
    for (layer, packed) in zip(description.layers, weights.layers) {
      let names = TensorNaming.torchvision.names(of: layer)
      func vector(_ name: String, _ value: (Int) -> Float) {
        tensors[name] = Tensor(shape: [layer.outputs], values: (0..<layer.outputs).map(value))
      }
      tensors[names.weight] = Tensor(
        shape: layer.shape(heightFirst: false), values: layer.outputsFirst(packed.matrix(of: layer)))
      vector(names.norm!.gamma) { _ in 1 }
      vector(names.norm!.beta) { packed.biases(of: layer)[$0] }
      vector(names.norm!.mean) { _ in 0 }
      vector(names.norm!.variance) { _ in 1 }
    }
    if let missing { tensors[missing] = nil }
    try write(name, Safetensors.encoded(tensors, metadata: [:]))
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
