import Foundation

extension NPYArray {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// Reads a .npy file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; bytes after the last element are ignored.
  ///   - name: What errors call the array, such as its path.
  /// - Throws: ``ModelFileError`` where the file is cut off, malformed, big-endian or of another element type.
  public init(parsing bytes: [UInt8], name: String) throws {
    try self.init(parsing: bytes[...], name: name)
  }

  init(parsing bytes: ArraySlice<UInt8>, name: String) throws {
    let reader = ByteReader(bytes, subject: name)
    guard try reader.slice(at: 0, count: 6).elementsEqual(Self.magic) else {
      throw ModelFileError.malformed(name, "not a .npy file")
    }
    let isFirstVersion = try reader.integer(UInt8.self, at: 6) == 1
    let lengthSize = isFirstVersion ? 2 : 4
    let headerCount =
      isFirstVersion ? Int(try reader.integer(UInt16.self, at: 8)) : Int(try reader.integer(UInt32.self, at: 8))
    let header = NPYHeader(
      text: String(decoding: try reader.slice(at: 8 + lengthSize, count: headerCount), as: UTF8.self), name: name)

    let elementType = try header.elementType()
    let shape = try header.shape()
    guard let count = elementCount(shape), count <= Int.max / elementType.size else {
      throw ModelFileError.malformed(name, "shape \(shape) is too large")
    }
    let data = try reader.slice(at: 8 + lengthSize + headerCount, count: count * elementType.size)
    let isColumnMajor = try header.isColumnMajor()
    self.init(
      elementType: elementType, shape: shape,
      bytes: isColumnMajor ? rowMajor(data, shape: shape, size: elementType.size) : Array(data))
  }

  /// The array as a .npy file of version 1, with the data aligned to 64 bytes as NumPy does.
  public func encoded() -> [UInt8] {
    let order = elementType.size == 1 ? "|" : "<"
    let extents = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '\(order)\(elementType.rawValue)', 'fortran_order': False, 'shape': (\(extents)), }"
    let padding = (64 - (Self.magic.count + 4 + header.utf8.count + 1) % 64) % 64
    header += String(repeating: " ", count: padding) + "\n"
    let count = UInt16(header.utf8.count)
    return Self.magic + [1, 0, UInt8(count & 0xFF), UInt8(count >> 8)] + Array(header.utf8) + bytes
  }
}

/// The Python dictionary at the head of a .npy file.
private struct NPYHeader {
  let text: String
  let name: String

  func elementType() throws -> ElementType {
    let descriptor = try value("descr").dropFirst().prefix { $0 != "'" && $0 != "\"" }
    guard let order = descriptor.first, "<|=".contains(order),
      let type = ElementType(rawValue: String(descriptor.dropFirst()))
    else {
      throw ModelFileError.unsupported(name, "elements of type '\(descriptor)' are not read")
    }
    return type
  }

  func isColumnMajor() throws -> Bool { try value("fortran_order").hasPrefix("True") }

  func shape() throws -> [Int] {
    let tuple = try value("shape")
    guard tuple.first == "(", let end = tuple.firstIndex(of: ")") else {
      throw ModelFileError.malformed(name, "the header's shape is not a tuple")
    }
    return try tuple[..<end].dropFirst().split(separator: ",").compactMap { part in
      let digits = part.trimmingCharacters(in: .whitespaces)
      guard !digits.isEmpty else { return nil }
      guard let extent = Int(digits), extent >= 0 else {
        throw ModelFileError.malformed(name, "the header's shape holds '\(digits)'")
      }
      return extent
    }
  }

  /// What follows `key` and its colon.
  private func value(_ key: String) throws -> Substring {
    guard let found = text.range(of: "'\(key)':") else {
      throw ModelFileError.malformed(name, "the header has no '\(key)'")
    }
    return text[found.upperBound...].drop { $0 == " " }
  }
}

/// `data`, whose first index runs fastest, in the order in which the last one does.
private func rowMajor(_ data: ArraySlice<UInt8>, shape: [Int], size: Int) -> [UInt8] {
  guard shape.count > 1, !data.isEmpty else { return Array(data) }
  var result: [UInt8] = []
  result.reserveCapacity(data.count)
  var index = [Int](repeating: 0, count: shape.count)
  for _ in 0..<data.count / size {
    let offset = zip(index, shape).reversed().reduce(0) { $0 * $1.1 + $1.0 }
    let start = data.startIndex + offset * size
    result += data[start..<start + size]
    var axis = shape.count - 1
    while axis >= 0 {
      index[axis] += 1
      if index[axis] < shape[axis] { break }
      index[axis] = 0
      axis -= 1
    }
  }
  return result
}
