import Compute
import Dispatch

/// Compares vectors in plain Swift: the definition of the kernels, and what takes over where there is no device.
public struct SwiftVectorSearch: VectorSearch {
  private let vectors: FeatureVectors
  private let threads: Int

  /// A search in a library.
  public init(_ vectors: FeatureVectors, threads: Int) {
    self.vectors = vectors
    self.threads = max(1, threads)
  }

  /// See `VectorSearch`.
  public func nearest(
    _ count: Int, to queries: FeatureVectors, by similarity: Similarity
  ) throws(ComputeError) -> [[Neighbour]] {
    // A part of the library for each thread, and the best of each.
    let parts = min(threads, max(1, vectors.count))
    return (0..<queries.count).map { query in
      let found = concurrently(parts) { part in
        var list = NearestList(limit: count)
        scan(
          part * vectors.count / parts..<(part + 1) * vectors.count / parts, queries, query, similarity
        ) { index, key in
          if key >= list.bound { return }
          list.append(Neighbour(key: key, index: Int32(index)))
          if list.isFull { list.settle() }
        }
        list.settle()
        return list.sorted
      }
      return Array(found.joined().sorted().prefix(count))
    }
  }

  /// See `VectorSearch`.
  public func forEachPair(
    from row: Int, within key: UInt64, by similarity: Similarity, _ body: ([VectorPair], Int) -> Bool
  ) throws(ComputeError) {
    let step = 64 * threads
    for first in stride(from: row, to: vectors.count, by: step) {
      let rows = first..<min(first + step, vectors.count)
      let found = concurrently(threads) { thread in
        var pairs: [VectorPair] = []
        for row in stride(from: rows.lowerBound + thread, to: rows.upperBound, by: threads) {
          scan(row + 1..<vectors.count, vectors, row, similarity) { index, found in
            if found <= key { pairs.append(VectorPair(first: Int32(row), second: Int32(index), key: found)) }
          }
        }
        return pairs
      }
      if !body(Array(found.joined()), rows.upperBound) { return }
    }
  }

  /// The keys of some of the library's vectors, in order.
  private func scan(
    _ indices: Range<Int>, _ queries: FeatureVectors, _ query: Int, _ similarity: Similarity,
    _ body: (Int, UInt64) -> Void
  ) {
    let (first, second) = (Projection.outputCount, AppearanceVector.count)
    vectors.content.withUnsafeBufferPointer { content in
      vectors.appearance.withUnsafeBufferPointer { appearance in
        queries.content.withUnsafeBufferPointer { queryContent in
          queries.appearance.withUnsafeBufferPointer { queryAppearance in
            guard !indices.isEmpty else { return }
            let (a, b) = (queryContent.baseAddress! + query * first, queryAppearance.baseAddress! + query * second)
            for index in indices {
              let key = similarity.key(
                content: squaredDistance(a, content.baseAddress! + index * first, first),
                appearance: squaredDistance(b, appearance.baseAddress! + index * second, second))
              body(index, key)
            }
          }
        }
      }
    }
  }
}

@inline(__always)
private func squaredDistance(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  var sum: Int32 = 0
  for index in 0..<count {
    let difference = Int32(a[index]) &- Int32(b[index])
    sum &+= difference &* difference
  }
  return sum
}

/// What `body` makes of each number below `count`, on as many threads.
func concurrently<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
  var results = [Result?](repeating: nil, count: count)
  results.withUnsafeMutableBufferPointer { results in
    // Each thread writes its own result.
    nonisolated(unsafe) let results = results
    DispatchQueue.concurrentPerform(iterations: count) { results[$0] = body($0) }
  }
  return results.map { $0! }
}
