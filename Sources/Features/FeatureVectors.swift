/// The vectors of one picture: 114 bytes.
public struct FeatureVector: Sendable, Equatable {
  /// What the picture shows, ``Projection/outputCount`` bytes.
  public let content: ArraySlice<UInt8>
  /// What it looks like, ``AppearanceVector/count`` bytes.
  public let appearance: ArraySlice<UInt8>
}

/// The vectors of some pictures, each kind in one run of memory.
public struct FeatureVectors: Sendable, Equatable {
  /// Content vectors, [count, 64].
  public internal(set) var content: [UInt8]
  /// Appearance vectors, [count, 50].
  public internal(set) var appearance: [UInt8]

  /// Bytes of one picture's vectors.
  public static let byteCount = Projection.outputCount + AppearanceVector.count

  /// Pictures.
  public var count: Int { content.count / Projection.outputCount }

  /// Vectors in the layouts of ``content`` and ``appearance``, of as many pictures each.
  public init(content: [UInt8], appearance: [UInt8]) {
    precondition(content.count / Projection.outputCount == appearance.count / AppearanceVector.count)
    self.content = content
    self.appearance = appearance
  }

  /// Appends vectors in rows of ``byteCount``: content, then appearance.
  mutating func append(rows: [UInt8]) {
    for first in stride(from: 0, to: rows.count, by: Self.byteCount) {
      content += rows[first..<first + Projection.outputCount]
      appearance += rows[first + Projection.outputCount..<first + Self.byteCount]
    }
  }

  /// Appends the vectors of further pictures.
  public mutating func append(_ others: FeatureVectors) {
    content += others.content
    appearance += others.appearance
  }

  /// The vectors of picture `index`.
  public subscript(index: Int) -> FeatureVector {
    let (content, appearance) = (Projection.outputCount, AppearanceVector.count)
    return FeatureVector(
      content: self.content[index * content..<(index + 1) * content],
      appearance: self.appearance[index * appearance..<(index + 1) * appearance])
  }
}
