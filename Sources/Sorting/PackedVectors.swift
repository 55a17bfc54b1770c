/// The vectors to sort, a byte for each dimension.
public struct PackedVectors: Sendable {
  /// The most dimensions that the integer arithmetic of the sorter has room for.
  public static let maximumDimensions = 128

  /// Number of vectors.
  public let count: Int
  /// Bytes of a vector, 1 to `maximumDimensions`.
  public let dimensions: Int
  /// The vectors, one after the other: `[count][dimensions]`.
  public let bytes: [UInt8]

  /// Vectors from their bytes.
  /// - Precondition: `dimensions` is in range, and `bytes` holds `count` vectors.
  public init(count: Int, dimensions: Int, bytes: [UInt8]) {
    precondition((1...Self.maximumDimensions).contains(dimensions) && bytes.count == count * dimensions)
    self.count = count
    self.dimensions = dimensions
    self.bytes = bytes
  }

  /// The bytes of one vector.
  public subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index * dimensions)..<((index + 1) * dimensions)]
  }
}
