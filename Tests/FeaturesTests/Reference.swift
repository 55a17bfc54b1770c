import Foundation
import TestSupport
import Testing

@testable import Features

/// Recorded activations of a network that something else computed, and the weights that they were computed with.
struct Reference: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let weights: NetworkWeights
  /// [count, 128, 128, 3]
  let pictures: [UInt8]
  /// [count, 1280]
  let descriptors: [Float]
  /// Outputs for the first picture by our layer names.
  let activations: [String: [Float]]

  var count: Int { pictures.count / (128 * 128 * 3) }

  /// Our own weights, with the projection's results for the pictures. Activations only where shared/weights is there.
  static let kiano: (network: Reference, projection: Projection, unit: [Float], bytes: [UInt8]) = {
    let results = try! archive(Locations.repository.appendingPathComponent("Tests/Data"), "kiano_reference.npz")
    let activations = folder("kiano").map { blocks(try! archive($0, "reference_blocks_input0_nhwc.npz")) }
    let network = Reference(
      testDescription: "kiano", weights: ContentModel.kiano.weights, pictures: results["input_u8_nhwc"]!.bytes,
      descriptors: results["pooled"]!.floats, activations: activations ?? [:])
    return (network, ContentModel.kiano.projection, results["projected_unit"]!.floats, results["code_u8"]!.bytes)
  }()

  /// Google's published checkpoint: other names, another padding and scaling, batch norm apart.
  static let published: Reference? = {
    guard let folder = folder("mobilenet_v2_050_224") else { return nil }
    func array(_ name: String) -> NPYArray { try! NPYArray(parsing: bytes(folder, name), name: name) }
    return Reference(
      testDescription: "published",
      weights: try! ModelImport().read(archive(folder, "weights.npz")).weights,
      pictures: array("reference_inputs_u8_nhwc.npy").bytes, descriptors: array("reference_pooled_f32.npy").floats,
      activations: blocks(try! archive(folder, "reference_blocks_input0_f32_nhwc.npz")))
  }()

  static let networks: [Reference] = [kiano.network, published].compactMap { $0 }
  static let absent: Comment = "needs shared/weights beside the checkout"
  /// Those whose activations were recorded.
  static let recorded = networks.filter { !$0.activations.isEmpty }

  private static func folder(_ name: String) -> URL? {
    guard let folder = Locations.shared?.appendingPathComponent("weights/\(name)"),
      FileManager.default.fileExists(atPath: folder.path)
    else { return nil }
    return folder
  }

  private static func bytes(_ folder: URL, _ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
  }

  private static func archive(_ folder: URL, _ name: String) throws -> NPZArchive {
    try NPZArchive(parsing: bytes(folder, name))
  }

  /// "block03" is the output of our "blocks.03.project", "head" another name for "last".
  private static func blocks(_ archive: NPZArchive) -> [String: [Float]] {
    Dictionary(
      uniqueKeysWithValues: archive.names.map { name in
        let layer =
          name.hasPrefix("block") ? "blocks.\(name.dropFirst(5)).project" : name == "head" ? "last" : name
        return (layer, archive[name]!.floats)
      })
  }
}

/// ||a - b|| / ||b||
func relativeError(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Float {
  precondition(a.count == b.count)
  let difference = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  let norm = b.reduce(0) { $0 + $1 * $1 }
  return (difference / norm).squareRoot()
}

/// Bytes that look like nothing, the same in each run.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 32)
  }
}

/// Floats of -1..<1 that look like nothing, the same in each run.
func randomFloats(_ count: Int, seed: UInt64) -> [Float] {
  noise(count * 2, seed: seed).withUnsafeBytes { bytes in
    (0..<count).map { Float(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) / 32768 }
  }
}
