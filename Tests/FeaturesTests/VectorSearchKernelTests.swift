import Compute
import TestSupport
import Testing

@testable import Features

/// Vectors for searches.
enum SearchSamples {
  /// Random ones, some of them twice, and black and white ones between them: the farthest that there are.
  static func vectors(_ count: Int, seed: UInt64) -> FeatureVectors {
    var generator = SplitMix64(state: seed)
    var rows: [[UInt8]] = []
    for index in 0..<count {
      switch index % 11 {
      case 3: rows.append([UInt8](repeating: index % 2 == 0 ? 0 : 255, count: FeatureVectors.byteCount))
      case 5: rows.append(rows[Int.random(in: 0..<index, using: &generator)])
      default: rows.append((0..<FeatureVectors.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
      }
    }
    var vectors = FeatureVectors(content: [], appearance: [])
    vectors.append(rows: rows.flatMap { $0 })
    return vectors
  }

  /// Weights of the content.
  static let similarities = [0, 0.01, 0.5, 1].map {
    Similarity(contentWeight: $0, scale: DistanceScale(content: 110_000, appearance: 70_000))
  }
}

/// The kernels against `SwiftVectorSearch`.
@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct VectorSearchKernelTests {
  private let device = OpenCLDevice.shared!

  /// Small lists, batches and buffers, so that each of them comes to its end.
  private static let forms = [
    OpenCLVectorSearch.Form(lanes: 0, tile: 2, queries: 8),
    OpenCLVectorSearch.Form(lanes: 0, tile: 2, queries: 3, capacity: 400, batch: 12, sliceBytes: 12_000),
    OpenCLVectorSearch.Form(lanes: 32, tile: 1, queries: 1, capacity: 400, batch: 5, sliceBytes: 17_000),
  ]
  private static let counts = OpenCLDevice.isInterpreter ? [70] : [0, 1, 15, 64, 65, 1000, 3001]

  @Test(arguments: counts)
  func theNearestAreTheSame(_ count: Int) throws {
    let vectors = SearchSamples.vectors(count, seed: 1)
    let definition = SwiftVectorSearch(vectors, threads: 3)
    for form in Self.forms {
      let search = try OpenCLVectorSearch(vectors, device: device, form: form)
      for similarity in SearchSamples.similarities.suffix(OpenCLDevice.isInterpreter ? 2 : 4) {
        for (queryCount, limit) in [(1, 20), (13, 3), (1, 4000), (2, 0)] {
          let queries = SearchSamples.vectors(queryCount, seed: 2)
          let expected = try definition.nearest(limit, to: queries, by: similarity)
          #expect(try search.nearest(limit, to: queries, by: similarity) == expected, "\(form), \(limit)")
        }
      }
    }
  }

  @Test(arguments: counts.filter { $0 <= 1000 })
  func thePairsAreTheSame(_ count: Int) throws {
    let vectors = SearchSamples.vectors(count, seed: 3)
    let definition = SwiftVectorSearch(vectors, threads: 2)
    for form in Self.forms {
      let search = try OpenCLVectorSearch(vectors, device: device, form: form)
      for similarity in SearchSamples.similarities.suffix(2) {
        for key in [0, similarity.key(within: 2), .max - 1] as [UInt64] where count < 100 || key < 1 << 60 {
          let expected = try pairs(definition, key, similarity)
          #expect(try pairs(search, key, similarity) == expected, "\(form)")
        }
      }
    }
  }

  private func pairs(_ search: some VectorSearch, _ key: UInt64, _ similarity: Similarity) throws -> [VectorPair] {
    var pairs: [VectorPair] = []
    try search.forEachPair(within: key, by: similarity) { found, _ in
      pairs += found
      return true
    }
    return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

struct VectorSearchTests {
  @Test func theDefinitionIsWhatItSays() throws {
    let vectors = SearchSamples.vectors(300, seed: 4)
    let query = SearchSamples.vectors(1, seed: 5)
    let similarity = SearchSamples.similarities[2]
    let all = (0..<vectors.count).map { index in
      Neighbour(
        key: similarity.key(
          content: distance(vectors[index].content, query[0].content),
          appearance: distance(vectors[index].appearance, query[0].appearance)),
        index: Int32(index))
    }
    for threads in [1, 2, 7] {
      let found = try SwiftVectorSearch(vectors, threads: threads).nearest(50, to: query, by: similarity)
      #expect(found == [Array(all.sorted().prefix(50))])
    }
  }

  @Test func keysAreWeighedDistances() {
    for weight in [0, 0.3, 0.5, 1] {
      let scale = DistanceScale(content: 100_000, appearance: 40_000)
      let similarity = Similarity(contentWeight: weight, scale: scale)
      let distance = similarity.distance(similarity.key(content: 50_000, appearance: 60_000))
      #expect(abs(distance - (weight * 0.5 + (1 - weight) * 1.5)) < 1e-8)
      #expect(similarity.distance(similarity.key(within: 0.1)) <= 0.1)
      #expect(similarity.distance(similarity.key(within: 0.1) + 1) > 0.1)
      #expect(similarity.key(within: 0) == 0)
      // The largest that there are are exact in floating point.
      #expect(similarity.key(content: 64 * 65025, appearance: 50 * 65025) < 1 << 53)
    }
  }

  @Test func scalesAreMeansWhateverTheOrder() {
    let vectors = SearchSamples.vectors(100, seed: 6)
    var sum = 0
    for first in 0..<100 {
      for second in 0..<first { sum += Int(distance(vectors[first].content, vectors[second].content)) }
    }
    let mean = Int((Double(sum) / 4950).rounded())
    #expect(DistanceScale(meansOf: vectors).content == mean)
    var reversed = FeatureVectors(content: [], appearance: [])
    for index in (0..<100).reversed() {
      reversed.append(
        FeatureVectors(content: Array(vectors[index].content), appearance: Array(vectors[index].appearance)))
    }
    #expect(DistanceScale(meansOf: reversed) == DistanceScale(meansOf: vectors))
    #expect(DistanceScale(meansOf: SearchSamples.vectors(1, seed: 1)) == DistanceScale(content: 1, appearance: 1))
  }

  private func distance(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int32 {
    zip(a, b).reduce(0) { $0 + (Int32($1.0) - Int32($1.1)) * (Int32($1.0) - Int32($1.1)) }
  }
}
