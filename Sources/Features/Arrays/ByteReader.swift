/// Little-endian reads from untrusted bytes; every read is checked against the end.
struct ByteReader {
  let bytes: ArraySlice<UInt8>
  /// What is being read, for the error that a short file gives.
  let subject: String

  init(_ bytes: ArraySlice<UInt8>, subject: String) {
    self.bytes = bytes
    self.subject = subject
  }

  /// The `count` bytes that start at `offset`.
  func slice(at offset: Int, count: Int) throws -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw ModelFileError.truncated(subject)
    }
    let start = bytes.startIndex + offset
    return bytes[start..<start + count]
  }

  /// The unsigned integer of `Value`'s width at `offset`.
  func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type = Value.self, at offset: Int) throws -> Value {
    try slice(at: offset, count: Value.bitWidth / 8).reversed().reduce(Value(0)) { $0 << 8 | Value($1) }
  }
}
