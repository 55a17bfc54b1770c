/// What squared distances of content and of appearance are divided by, so that one kind compares with the other.
public struct DistanceScale: Sendable, Equatable {
  /// For content vectors, 1 or more.
  public let content: Int
  /// For appearance vectors, 1 or more.
  public let appearance: Int

  /// A scale of these numbers.
  public init(content: Int, appearance: Int) {
    precondition(content > 0 && appearance > 0)
    self.content = content
    self.appearance = appearance
  }

  /// The means of a library: there a distance of 1 is that of two pictures taken at random. They are whole numbers that
  /// don't depend on the order of the vectors.
  public init(meansOf vectors: FeatureVectors) {
    content = Self.meanSquaredDistance(vectors.content, dimensions: Projection.outputCount)
    appearance = Self.meanSquaredDistance(vectors.appearance, dimensions: AppearanceVector.count)
  }

  /// One for all libraries, so that a threshold means the same in each: about the means of 250 photos of ten kinds.
  public static let ofPhotos = DistanceScale(content: 123_000, appearance: 53_000)

  /// The mean squared distance of all pairs of vectors, rounded, and 1 where it is less.
  ///
  /// The sum over all pairs is n times the sum of all squares less the squared sum of each dimension.
  /// - Parameter vectors: [count, dimensions]
  public static func meanSquaredDistance(_ vectors: [UInt8], dimensions: Int) -> Int {
    let count = vectors.count / dimensions
    guard count > 1 else { return 1 }
    var sums = [UInt64](repeating: 0, count: dimensions)
    var squares: UInt64 = 0
    vectors.withUnsafeBufferPointer { vectors in
      sums.withUnsafeMutableBufferPointer { sums in
        for first in stride(from: 0, to: count * dimensions, by: dimensions) {
          for dimension in 0..<dimensions {
            let value = UInt64(vectors[first + dimension])
            sums[dimension] &+= value
            squares &+= value &* value
          }
        }
      }
    }
    let spread = sums.reduce(UInt128(count) * UInt128(squares)) { $0 - UInt128($1) * UInt128($1) }
    let pairs = UInt128(count) * UInt128(count - 1)
    return max(1, Int((2 * spread + pairs / 2) / pairs))
  }
}
