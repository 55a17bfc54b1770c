/// Packs content and appearance into one vector of bytes whose squared distances weigh one against the other.
///
/// For the weight w of content, distances between packed vectors are, but for rounding and one common factor,
///
///     w d(content) / median d(content) + (1 - w) d(appearance) / median d(appearance)
///
/// with the medians of the library that the mix was made for, so that 0.5 means half and half. A part of weight zero
/// isn't packed. The common factor is as large as leaves one value in a thousand beyond the bytes' range, where it is
/// clipped. The same vectors give the same mix everywhere.
public struct VectorMix: Sendable {
  /// Bytes of a packed vector: 114, or those of one part where it alone counts.
  public var dimensionCount: Int { content.dimensions + appearance.dimensions }

  private let content: PackedPart
  private let appearance: PackedPart

  /// The mix for a library.
  ///
  /// - Parameters:
  ///   - vectors: Those of the library.
  ///   - contentWeight: 0, appearance alone, to 1, content alone.
  public init(_ vectors: FeatureVectors, contentWeight: Double) {
    precondition((0...1).contains(contentWeight))
    let contentScale = relativeScale(vectors.content, Projection.outputCount, weight: contentWeight)
    let appearanceScale = relativeScale(vectors.appearance, AppearanceVector.count, weight: 1 - contentWeight)
    let contentSpread = Spread(vectors.content, dimensions: Projection.outputCount)
    let appearanceSpread = Spread(vectors.appearance, dimensions: AppearanceVector.count)
    let extent = max(contentScale * contentSpread.extent, appearanceScale * appearanceSpread.extent)
    let factor = extent > 0 ? 127 / extent : 1
    content = PackedPart(contentSpread, scale: contentScale * factor)
    appearance = PackedPart(appearanceSpread, scale: appearanceScale * factor)
  }

  /// Packs vectors, of this library or another's.
  ///
  /// - Returns: [count, dimensionCount]
  public func pack(_ vectors: FeatureVectors) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: vectors.count * dimensionCount) { packed, initialized in
      content.pack(vectors.content, into: packed, first: 0, stride: dimensionCount)
      appearance.pack(vectors.appearance, into: packed, first: content.dimensions, stride: dimensionCount)
      initialized = vectors.count * dimensionCount
    }
  }
}

/// The factor on one part's values that gives it `weight` in the mix.
private func relativeScale(_ vectors: [UInt8], _ dimensions: Int, weight: Double) -> Double {
  (weight / max(1, medianSquaredDistance(vectors, dimensions: dimensions))).squareRoot()
}

/// One part's way into packed vectors: a table from byte to byte for each of its dimensions.
private struct PackedPart: Sendable {
  /// None where the part has no weight.
  let dimensions: Int
  /// [dimension][256]
  private let table: [UInt8]

  init(_ spread: Spread, scale: Double) {
    dimensions = scale > 0 ? spread.centres.count : 0
    table = spread.centres.prefix(dimensions).flatMap { centre in
      (0..<256).map { UInt8(min(max(((Double($0) - centre) * scale).rounded() + 128, 0), 255)) }
    }
  }

  func pack(_ vectors: [UInt8], into packed: UnsafeMutableBufferPointer<UInt8>, first: Int, stride: Int) {
    guard dimensions > 0 else { return }
    for vector in 0..<vectors.count / dimensions {
      for dimension in 0..<dimensions {
        let value = Int(vectors[vector * dimensions + dimension])
        packed[vector * stride + first + dimension] = table[dimension * 256 + value]
      }
    }
  }
}

/// Where the values of one part lie.
private struct Spread {
  /// The mean of each dimension.
  let centres: [Double]
  /// The distance from the centre that all but a thousandth of the values keep.
  let extent: Double

  init(_ vectors: [UInt8], dimensions: Int) {
    var histograms = [Int](repeating: 0, count: dimensions * 256)
    for index in vectors.indices { histograms[index % dimensions * 256 + Int(vectors[index])] += 1 }
    let count = max(1, vectors.count / dimensions)
    let centres = (0..<dimensions).map { dimension in
      (0..<256).reduce(0.0) { $0 + Double($1 * histograms[dimension * 256 + $1]) } / Double(count)
    }
    // Distances in whole steps are fine enough for choosing a scale.
    var distances = [Int](repeating: 0, count: 257)
    for (index, occurrences) in histograms.enumerated() {
      distances[Int(abs(Double(index % 256) - centres[index / 256]).rounded(.up))] += occurrences
    }
    var beyond = 0
    var extent = distances.count - 1
    while extent > 0, beyond + distances[extent] <= vectors.count / 1000 {
      beyond += distances[extent]
      extent -= 1
    }
    self.centres = centres
    self.extent = Double(extent)
  }
}
