import Foundation

/// The tensors of a .safetensors file.
///
/// Source: https://github.com/huggingface/safetensors, "Format": eight bytes with the length of a JSON header,
/// the header (name -> dtype, shape, data_offsets), the data. All types are read but those that no
/// `ElementType` is, such as BF16.
public struct Safetensors: TensorSource, Sendable {
  private struct Entry {
    /// nil where the type, of this name, isn't read.
    let type: ElementType?
    let typeName: String
    let shape: [Int]
    let data: ArraySlice<UInt8>
  }

  private let entries: [String: Entry]

  /// What the file says of itself (`__metadata__`).
  public let metadata: [String: String]

  /// Reads the header and checks that every tensor lies within the file.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``ModelFileError``
  public init(parsing bytes: [UInt8]) throws {
    let file = ByteReader(bytes[...], subject: "safetensors header")
    guard let headerCount = Int(exactly: try file.integer(UInt64.self, at: 0)) else {
      throw ModelFileError.truncated(file.subject)
    }
    let header = try file.slice(at: 8, count: headerCount)
    guard let object = try? JSONSerialization.jsonObject(with: Data(header)) as? [String: Any] else {
      throw ModelFileError.malformed(file.subject, "is not a JSON object")
    }
    metadata = object[Self.metadataKey] as? [String: String] ?? [:]
    let data = bytes[(8 + headerCount)...]
    entries = try Dictionary(
      uniqueKeysWithValues: object.filter { $0.key != Self.metadataKey }.sorted { $0.key < $1.key }.map { name, value in
        (name, try Self.entry(name, value, data: data))
      })
  }

  static let metadataKey = "__metadata__"

  /// The names in the file, sorted.
  public var names: [String] { entries.keys.sorted() }

  /// The extents of the tensor of that name, or nothing.
  public func shape(_ name: String) -> [Int]? { entries[name]?.shape }

  /// The tensor of that name as floats.
  ///
  /// - Throws: ``ModelFileError/missing(_:)``; ``ModelFileError/unsupported(_:_:)`` where its type isn't read.
  public func tensor(_ name: String) throws -> Tensor {
    guard let entry = entries[name] else { throw ModelFileError.missing(name) }
    guard let type = entry.type else {
      throw ModelFileError.unsupported(name, "elements of type \(entry.typeName) are not read; convert to F32")
    }
    return Tensor(shape: entry.shape, values: type.floats(entry.data))
  }

  private static let types: [String: ElementType] = [
    "F64": .float64, "F32": .float32, "F16": .float16, "I64": .int64, "I32": .int32, "I16": .int16, "I8": .int8,
    "U64": .uint64, "U32": .uint32, "U16": .uint16, "U8": .uint8, "BOOL": .uint8,
  ]

  private static func entry(_ name: String, _ value: Any, data: ArraySlice<UInt8>) throws -> Entry {
    guard let fields = value as? [String: Any], let typeName = fields["dtype"] as? String,
      let shape = fields["shape"] as? [Int], let offsets = fields["data_offsets"] as? [Int], offsets.count == 2
    else {
      throw ModelFileError.malformed(name, "needs dtype, shape and data_offsets")
    }
    let type = types[typeName]
    let (count, overflow) = offsets[1].subtractingReportingOverflow(offsets[0])
    guard !overflow, count >= 0, let elements = elementCount(shape),
      type.map({ elements <= Int.max / $0.size && elements * $0.size == count }) ?? true
    else {
      throw ModelFileError.malformed(name, "shape \(shape) doesn't match data_offsets \(offsets)")
    }
    return Entry(
      type: type, typeName: typeName, shape: shape,
      data: try ByteReader(data, subject: name).slice(at: offsets[0], count: count))
  }
}

// MARK: - Writing

extension Safetensors {
  /// The bytes of a file with these tensors as F32, in the order of their names, whatever the order of the dictionary.
  ///
  /// - Parameters:
  ///   - tensors: By name.
  ///   - metadata: What the file says of itself.
  public static func encoded(_ tensors: [String: Tensor], metadata: [String: String]) -> [UInt8] {
    var header: [String: Any] = [metadataKey: metadata]
    var data: [UInt8] = []
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      let start = data.count
      data += littleEndianBytes(tensor.values.lazy.map(\.bitPattern))
      header[name] = ["dtype": "F32", "shape": tensor.shape, "data_offsets": [start, data.count]] as [String: Any]
    }
    // Dictionaries of strings and numbers always have a JSON form.
    var text = [UInt8](try! JSONSerialization.data(withJSONObject: header, options: .sortedKeys))
    // Spaces, so that the data begins at a multiple of eight, as the format's own writer has it.
    text += [UInt8](repeating: UInt8(ascii: " "), count: (8 - text.count % 8) % 8)
    return withUnsafeBytes(of: UInt64(text.count).littleEndian) { Array($0) } + text + data
  }
}
