/// The arrays of a .npz file as `numpy.savez` and `numpy.savez_compressed` write it: a zip archive of .npy members, stored
/// or deflated.
///
/// Source: APPNOTE.TXT, the .ZIP File Format Specification, sections 4.3.7, 4.3.12 and 4.3.16.
public struct NPZArchive: Sendable {
  private let arrays: [String: NPYArray]

  /// Reads every member whose name ends in .npy.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``ModelFileError``, also where a member's checksum isn't that of its bytes.
  public init(parsing bytes: [UInt8]) throws {
    let file = ByteReader(bytes[...], subject: "npz archive")
    let directoryEnd = try Self.endOfCentralDirectory(file)
    let memberCount = Int(try file.integer(UInt16.self, at: directoryEnd + 10))
    var entry = Int(try file.integer(UInt32.self, at: directoryEnd + 16))
    var arrays: [String: NPYArray] = [:]
    for _ in 0..<memberCount {
      let nameCount = Int(try file.integer(UInt16.self, at: entry + 28))
      let name = String(decoding: try file.slice(at: entry + 46, count: nameCount), as: UTF8.self)
      if name.hasSuffix(".npy") {
        let array = String(name.dropLast(4))
        arrays[array] = try NPYArray(parsing: Self.member(file, entry: entry, name: array), name: array)
      }
      let extraCount = Int(try file.integer(UInt16.self, at: entry + 30))
      let commentCount = Int(try file.integer(UInt16.self, at: entry + 32))
      entry += 46 + nameCount + extraCount + commentCount
    }
    self.arrays = arrays
  }

  /// The array of that name, without ".npy", or nothing.
  public subscript(name: String) -> NPYArray? { arrays[name] }

  /// The record is the last thing in the file but for a comment of at most 65,535 bytes.
  private static func endOfCentralDirectory(_ file: ByteReader) throws -> Int {
    let recordSize = 22
    var offset = file.bytes.count - recordSize
    let first = max(0, offset - Int(UInt16.max))
    while offset >= first {
      if try file.integer(UInt32.self, at: offset) == 0x0605_4B50 { return offset }
      offset -= 1
    }
    // A zip archive begins with its first member.
    if file.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { throw ModelFileError.truncated(file.subject) }
    throw ModelFileError.malformed(file.subject, "not a zip archive")
  }

  /// The bytes of the member that the central directory's `entry` describes.
  private static func member(_ file: ByteReader, entry: Int, name: String) throws -> ArraySlice<UInt8> {
    guard try file.integer(UInt32.self, at: entry) == 0x0201_4B50 else {
      throw ModelFileError.malformed(file.subject, "the central directory is damaged")
    }
    let method = try file.integer(UInt16.self, at: entry + 10)
    let checksum = try file.integer(UInt32.self, at: entry + 16)
    let storedCount = try file.integer(UInt32.self, at: entry + 20)
    let count = try file.integer(UInt32.self, at: entry + 24)
    let header = try file.integer(UInt32.self, at: entry + 42)
    guard storedCount != .max, count != .max, header != .max else {
      throw ModelFileError.unsupported(name, "archives beyond 4 GB are not read")
    }
    let nameCount = Int(try file.integer(UInt16.self, at: Int(header) + 26))
    let extraCount = Int(try file.integer(UInt16.self, at: Int(header) + 28))
    let stored = try file.slice(at: Int(header) + 30 + nameCount + extraCount, count: Int(storedCount))
    let bytes: ArraySlice<UInt8>
    switch method {
    case 0: bytes = stored
    case 8: bytes = try inflated(stored, count: Int(count), name: name)[...]
    default:
      throw ModelFileError.unsupported(
        name, "is compressed in a way that is not read; write the file with numpy.savez_compressed")
    }
    guard crc32(of: bytes) == checksum else {
      throw ModelFileError.malformed(name, "is damaged: its checksum is another; copy or download the file again")
    }
    return bytes
  }
}

extension NPZArchive: TensorSource {
  /// The names of the arrays, without ".npy", sorted.
  public var names: [String] { arrays.keys.sorted() }

  /// The extents of the array of that name, or nothing.
  public func shape(_ name: String) -> [Int]? { arrays[name]?.shape }

  /// The array of that name as floats.
  ///
  /// - Throws: ``ModelFileError/missing(_:)``
  public func tensor(_ name: String) throws -> Tensor {
    guard let array = arrays[name] else { throw ModelFileError.missing(name) }
    return Tensor(shape: array.shape, values: array.floats)
  }
}
