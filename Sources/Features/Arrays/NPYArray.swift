/// An array in NumPy's .npy format, versions 1 to 3, little-endian.
///
/// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays", and `numpy.lib.format`.
public struct NPYArray: Sendable, Equatable {
  /// What each element is.
  public let elementType: ElementType
  /// The extent of each dimension, slowest first; empty for a single number.
  public let shape: [Int]
  /// The elements in row-major order, little-endian.
  public let bytes: [UInt8]

  /// The number of elements.
  public var count: Int { bytes.count / elementType.size }

  /// The elements as floats.
  public var floats: [Float] { elementType.floats(bytes[...]) }

  /// The elements of a type that floats can't hold exactly; nil for other types.
  public var doubles: [Double]? { elementType.doubles(bytes[...]) }

  /// The elements as integers, or nothing where they are floats or don't fit.
  public var integers: [Int]? { elementType.integers(bytes[...]) }

  /// An array of bytes (`u1`) in row-major order.
  public init(shape: [Int], _ values: [UInt8]) {
    self.init(elementType: .uint8, shape: shape, bytes: values)
  }

  /// An array of 32-bit integers (`i4`) in row-major order.
  public init(shape: [Int], _ values: [Int32]) {
    self.init(
      elementType: .int32, shape: shape, bytes: littleEndianBytes(values.lazy.map { UInt32(bitPattern: $0) }))
  }

  /// An array of 32-bit floats (`f4`) in row-major order.
  public init(shape: [Int], _ values: [Float]) {
    self.init(elementType: .float32, shape: shape, bytes: littleEndianBytes(values.lazy.map(\.bitPattern)))
  }

  init(elementType: ElementType, shape: [Int], bytes: [UInt8]) {
    precondition(elementCount(shape) == bytes.count / elementType.size, "shape \(shape) doesn't fit the values")
    self.elementType = elementType
    self.shape = shape
    self.bytes = bytes
  }
}

/// The bytes of `values`, each with its lowest byte first.
func littleEndianBytes(_ values: some Collection<UInt32>) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: values.count * 4) { bytes, initialized in
    for (index, value) in values.enumerated() {
      UnsafeMutableRawBufferPointer(bytes).storeBytes(of: value.littleEndian, toByteOffset: index * 4, as: UInt32.self)
    }
    initialized = values.count * 4
  }
}
