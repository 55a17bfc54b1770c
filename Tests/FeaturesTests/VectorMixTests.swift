import Testing

@testable import Features

struct VectorMixTests {
  /// Content around 128 +- 16, appearance around 100 +- 50.
  private let vectors = FeatureVectors(
    content: noise(200 * 64, seed: 1).map { 112 + $0 % 33 }, appearance: noise(200 * 50, seed: 2).map { 50 + $0 % 101 })

  @Test(arguments: [0.1, 0.25, 0.5, 0.9])
  func distancesAreTheWeightedOnes(weight: Double) {
    let packed = VectorMix(vectors, contentWeight: weight).pack(vectors)
    let medians = (
      content: medianSquaredDistance(vectors.content, dimensions: 64),
      appearance: medianSquaredDistance(vectors.appearance, dimensions: 50)
    )
    let ratios = (1..<200).map { other in
      distance(packed, 114, other)
        / (weight * distance(vectors.content, 64, other) / medians.content
          + (1 - weight) * distance(vectors.appearance, 50, other) / medians.appearance)
    }
    #expect(ratios.max()! / ratios.min()! < 1.05)
  }

  @Test func onePartAloneIsPackedAlone() {
    #expect(VectorMix(vectors, contentWeight: 1).pack(vectors).count == 200 * 64)
    #expect(VectorMix(vectors, contentWeight: 0).pack(vectors).count == 200 * 50)
  }

  @Test func bytesAreUsedButHardlyClipped() {
    let packed = VectorMix(vectors, contentWeight: 0.5).pack(vectors)
    #expect(packed.count { $0 == 0 || $0 == 255 } <= packed.count / 500)
    #expect(packed.max()! > 240)
    #expect(packed.min()! < 32)
  }

  @Test func equalVectorsAndNoVectorsArePacked() {
    let same = FeatureVectors(
      content: [UInt8](repeating: 3, count: 128), appearance: [UInt8](repeating: 9, count: 100))
    #expect(VectorMix(same, contentWeight: 0.5).pack(same) == [UInt8](repeating: 128, count: 228))
    let none = FeatureVectors(content: [], appearance: [])
    #expect(VectorMix(none, contentWeight: 0.5).pack(none) == [])
  }

  @Test func sampledMedianIsNearTheWholeOne() {
    let whole = medianSquaredDistance(Array(vectors.content.prefix(140 * 64)), dimensions: 64)
    let sampled = medianSquaredDistance(vectors.content, dimensions: 64)
    #expect(abs(sampled / whole - 1) < 0.02)
    #expect(medianSquaredDistance([0, 0, 3, 4], dimensions: 2) == 25)
  }

  private func distance(_ vectors: [UInt8], _ dimensions: Int, _ other: Int) -> Double {
    (0..<dimensions).reduce(0) { sum, dimension in
      let difference = Double(vectors[dimension]) - Double(vectors[other * dimensions + dimension])
      return sum + difference * difference
    }
  }
}
