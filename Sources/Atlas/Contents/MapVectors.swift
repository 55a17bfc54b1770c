import Features

/// The feature vectors of a map's pictures, with which its page finds similar ones.
public struct MapVectors: Sendable, Equatable {
  /// What the pictures show, [count, contentDimensions].
  public let content: [UInt8]
  /// What the pictures look like, [count, appearanceDimensions].
  public let appearance: [UInt8]
  /// Bytes of one content vector.
  public let contentDimensions: Int
  /// Bytes of one appearance vector.
  public let appearanceDimensions: Int

  /// Vectors in these layouts.
  /// - Precondition: there are as many vectors of one kind as of the other.
  public init(content: [UInt8], contentDimensions: Int, appearance: [UInt8], appearanceDimensions: Int) {
    precondition(
      content.count / contentDimensions * appearanceDimensions == appearance.count
        && content.count.isMultiple(of: contentDimensions), "each picture has both vectors")
    self.content = content
    self.appearance = appearance
    self.contentDimensions = contentDimensions
    self.appearanceDimensions = appearanceDimensions
  }

  /// Pictures.
  public var count: Int { content.count / contentDimensions }

  /// What their distances are divided by, as in `DistanceScale(meansOf:)`.
  var scale: DistanceScale {
    DistanceScale(
      content: DistanceScale.meanSquaredDistance(content, dimensions: contentDimensions),
      appearance: DistanceScale.meanSquaredDistance(appearance, dimensions: appearanceDimensions))
  }
}
