/// The element types that arrays in files may have; the raw value is NumPy's letter and size in bytes.
public enum ElementType: String, Sendable, CaseIterable {
  case uint8 = "u1"
  case uint16 = "u2"
  case uint32 = "u4"
  case uint64 = "u8"
  case int8 = "i1"
  case int16 = "i2"
  case int32 = "i4"
  case int64 = "i8"
  case float16 = "f2"
  case float32 = "f4"
  case float64 = "f8"

  /// Bytes of one element.
  public var size: Int { Int(rawValue.dropFirst())! }

  /// Whether elements are floats.
  public var isFloat: Bool { rawValue.first == "f" }

  /// The elements in `bytes` (little-endian, a whole number of them) as floats, rounded where they don't fit.
  func floats(_ bytes: ArraySlice<UInt8>) -> [Float] {
    switch self {
    case .uint8: decode(bytes, UInt8.self) { Float($0) }
    case .uint16: decode(bytes, UInt16.self) { Float($0) }
    case .uint32: decode(bytes, UInt32.self) { Float($0) }
    case .uint64: decode(bytes, UInt64.self) { Float($0) }
    case .int8: decode(bytes, Int8.self) { Float($0) }
    case .int16: decode(bytes, Int16.self) { Float($0) }
    case .int32: decode(bytes, Int32.self) { Float($0) }
    case .int64: decode(bytes, Int64.self) { Float($0) }
    case .float16: decode(bytes, UInt16.self) { Float(halfBits: $0) }
    case .float32: decode(bytes, UInt32.self) { Float(bitPattern: $0) }
    case .float64: decode(bytes, UInt64.self) { Float(Double(bitPattern: $0)) }
    }
  }

  /// The elements in `bytes` of a type that floats can't hold exactly; nil for other types.
  func doubles(_ bytes: ArraySlice<UInt8>) -> [Double]? {
    switch self {
    case .uint32: decode(bytes, UInt32.self) { Double($0) }
    case .uint64: decode(bytes, UInt64.self) { Double($0) }
    case .int32: decode(bytes, Int32.self) { Double($0) }
    case .int64: decode(bytes, Int64.self) { Double($0) }
    case .float64: decode(bytes, UInt64.self) { Double(bitPattern: $0) }
    default: nil
    }
  }

  /// The elements in `bytes` as integers, or nothing for floats and for values beyond `Int`.
  func integers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
    switch self {
    case .uint8: return decode(bytes, UInt8.self) { Int($0) }
    case .uint16: return decode(bytes, UInt16.self) { Int($0) }
    case .uint32: return decode(bytes, UInt32.self) { Int($0) }
    case .uint64:
      let values = decode(bytes, UInt64.self) { Int(exactly: $0) }
      return values.contains(nil) ? nil : values.compactMap { $0 }
    case .int8: return decode(bytes, Int8.self) { Int($0) }
    case .int16: return decode(bytes, Int16.self) { Int($0) }
    case .int32: return decode(bytes, Int32.self) { Int($0) }
    case .int64: return decode(bytes, Int64.self) { Int($0) }
    case .float16, .float32, .float64: return nil
    }
  }

  private func decode<Stored: FixedWidthInteger, Value>(
    _ bytes: ArraySlice<UInt8>, _: Stored.Type, _ convert: (Stored) -> Value
  ) -> [Value] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / size).map { index in
        convert(Stored(littleEndian: raw.loadUnaligned(fromByteOffset: index * size, as: Stored.self)))
      }
    }
  }
}

extension Float {
  /// The value of an IEEE 754 binary16 pattern. By hand, since `Float16` isn't there on every platform we build for.
  init(halfBits: UInt16) {
    let sign: Float = halfBits & 0x8000 == 0 ? 1 : -1
    let exponent = Int(halfBits >> 10 & 0x1F)
    let fraction = UInt32(halfBits & 0x3FF)
    switch exponent {
    case 0: self = sign * Float(fraction) * 0x1p-24
    case 31: self = Float(bitPattern: UInt32(halfBits & 0x8000) << 16 | 0x7F80_0000 | fraction << 13)
    default: self = sign * Float(bitPattern: UInt32(exponent + 112) << 23 | fraction << 13)
    }
  }
}
