/// How distances of content and of appearance make one distance. `Sources/Viewer/similar.js` does the same.
///
/// With the weight w of content, a distance is
///
///     w d(content) / scale(content) + (1 - w) d(appearance) / scale(appearance)
///
/// where d are squared distances. What is compared are whole numbers, the same everywhere: `key`s, in which the two
/// factors are whole numbers of which the larger one is 2^30. No d passes 64 x 255^2 < 2^22, so keys are below 2^53, and
/// exact in floating point too.
public struct Similarity: Sendable, Equatable {
  /// What the squared distance of content vectors counts in a key.
  public let contentFactor: UInt32
  /// What the squared distance of appearance vectors counts in a key.
  public let appearanceFactor: UInt32
  /// The distance that a key of 1 stands for.
  private let unit: Double

  /// - Parameters:
  ///   - contentWeight: 0, appearance alone, to 1, content alone.
  ///   - scale: Makes both kinds of distances compare.
  public init(contentWeight: Double, scale: DistanceScale) {
    precondition((0...1).contains(contentWeight))
    let perContent = contentWeight / Double(scale.content)
    let perAppearance = (1 - contentWeight) / Double(scale.appearance)
    let largest = max(perContent, perAppearance)
    contentFactor = UInt32((perContent / largest * 0x1p30 + 0.5).rounded(.down))
    appearanceFactor = UInt32((perAppearance / largest * 0x1p30 + 0.5).rounded(.down))
    unit = largest / 0x1p30
  }

  /// The whole number that stands for two squared distances.
  public func key(content: Int32, appearance: Int32) -> UInt64 {
    UInt64(contentFactor) &* UInt64(UInt32(bitPattern: content))
      &+ UInt64(appearanceFactor) &* UInt64(UInt32(bitPattern: appearance))
  }

  /// The whole number that stands for the distance of two pictures.
  public func key(_ first: FeatureVector, _ second: FeatureVector) -> UInt64 {
    func squaredDistance(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int32 {
      zip(first, second).reduce(0) { sum, values in
        let difference = Int32(values.0) - Int32(values.1)
        return sum + difference * difference
      }
    }
    return key(
      content: squaredDistance(first.content, second.content),
      appearance: squaredDistance(first.appearance, second.appearance))
  }

  /// The distance that a key stands for.
  public func distance(_ key: UInt64) -> Double { Double(key) * unit }

  /// The largest key whose distance isn't above `distance`.
  public func key(within distance: Double) -> UInt64 {
    var key = UInt64(min(max(distance / unit, 0), 0x1p53))
    while key > 0, self.distance(key) > distance { key -= 1 }
    while key < 1 << 53, self.distance(key + 1) <= distance { key += 1 }
    return key
  }
}
