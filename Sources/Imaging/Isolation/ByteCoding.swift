/// Writes numbers and byte strings one after the other.
struct ByteEncoder {
  private(set) var bytes: [UInt8] = []

  /// Begins anew, in the same memory.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ number: Int) {
    withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ string: some Collection<UInt8>) {
    append(string.count)
    bytes.append(contentsOf: string)
  }

  /// Writes a number over the first that was written.
  mutating func replaceFirst(_ number: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: UInt64(bitPattern: Int64(number)).littleEndian, as: UInt64.self)
    }
  }
}

/// Reads what `ByteEncoder` wrote. The bytes may come from a process that hostile input has taken over: whatever they
/// are, they are read within their bounds or not at all.
struct ByteDecoder {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number() -> Int? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return Int(Int64(bitPattern: UInt64(littleEndian: rest.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })))
  }

  mutating func string() -> ArraySlice<UInt8>? {
    guard let count = number(), count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func text() -> String? {
    string().map { String(decoding: $0, as: UTF8.self) }
  }
}
