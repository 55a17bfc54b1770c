import Features
import Foundation
import Imaging

/// A file of weights that a person gives.
struct ModelFile {
  let path: BytePath
  private let tensors: any TensorSource
  private let metadata: [String: String]

  /// The largest network of this kind, with a classifier and what training keeps, has a tenth of this.
  private static let maximumBytes = 1 << 30

  /// Reads the file, whichever of the known kinds it is.
  init(_ path: BytePath) throws(EngineError) {
    self.path = path
    var status = stat()
    if path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > Self.maximumBytes
    {
      throw EngineError(.failed, "\(path.displayName) is larger than any MobileNetV2")
    }
    let bytes = try readFile(path)
    (tensors, metadata) = try modelFile(path) { () throws in
      if bytes.isEmpty { throw EngineError(.failed, "\(path.displayName) is empty") }
      if bytes.starts(with: "PK".utf8) { return (try Self.archive(bytes), [:]) }
      if let reason = Self.knownOther(bytes) { throw EngineError(.failed, "\(path.displayName): \(reason)") }
      let file = try Safetensors(parsing: bytes)
      return (file, file.metadata)
    }
  }

  /// The network in the file, tried with a test picture.
  func network(_ reader: ModelImport) throws(EngineError) -> ModelImport.Result {
    try modelFile(path) { () throws in
      let result = try reader.read(tensors, metadata: metadata)
      try result.weights.check()
      return result
    }
  }

  /// The projection in the file.
  /// - Parameter inputCount: values of a descriptor.
  func projection(inputCount: Int) throws(EngineError) -> Projection {
    try modelFile(path) { () throws in try Projection(tensors, inputCount: inputCount) }
  }

  private static func archive(_ bytes: [UInt8]) throws -> NPZArchive {
    let archive = try NPZArchive(parsing: bytes)
    if archive.names.isEmpty {
      throw ModelFileError.unsupported(
        "this zip archive", "has no .npy member; PyTorch's own files (.pt) must be saved as .safetensors or .npz first")
    }
    return archive
  }

  /// Formats that people have weights in, which aren't read.
  private static func knownOther(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89] + Array("HDF".utf8)) {
      return "HDF5 files (.h5, .keras) aren't read; save the weights as .safetensors or .npz"
    }
    if bytes.starts(with: [0x80, 0x02]) || bytes.starts(with: [0x80, 0x04]) {
      return "Python's pickles (.pt, .pth, .pkl) aren't read, since they can hold programs; save the weights as "
        + ".safetensors or .npz"
    }
    if bytes.dropFirst(4).starts(with: "TFL3".utf8) || bytes.starts(with: [0x08]) && bytes.count > 8 && bytes[8] != 0x7B
    {
      return "files of TensorFlow Lite and ONNX aren't read; save the weights as .safetensors or .npz"
    }
    return nil
  }
}
