import Dispatch
import Synchronization

/// How well vectors find pictures of the same class: each picture is looked for among all others.
///
/// Source: Manning, Raghavan, Schütze 2008, "Introduction to Information Retrieval", section 8.4.
public struct RetrievalQuality: Sendable, Equatable {
  /// The mean over all queries of the average precision.
  public let meanAveragePrecision: Double
  /// The share of queries whose nearest picture is of their class.
  public let precisionAt1: Double
  /// The mean share, among the ten nearest pictures, of those of the query's class.
  public let precisionAt10: Double

  /// The quality of byte vectors under squared distance, leaving each query out; equal distances go by place.
  ///
  /// - Parameters:
  ///   - vectors: [count, dimensions]
  ///   - classes: [count]. A picture that is alone in its class is no query.
  ///   - threads: How many work.
  ///   - progress: Told, from any thread, how many queries are done.
  /// - Returns: nil where no class has two pictures.
  public init?(
    bytes vectors: [UInt8], dimensions: Int, classes: [Int], threads: Int,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.init(classes: classes, threads: threads, progress: progress) { query, other in
      vectors.withUnsafeBufferPointer { vectors in
        let (a, b) = (vectors.baseAddress! + query * dimensions, vectors.baseAddress! + other * dimensions)
        var sum: Int32 = 0
        for index in 0..<dimensions {
          let difference = Int32(a[index]) &- Int32(b[index])
          sum &+= difference &* difference
        }
        // Below 2^24 for up to 258 dimensions, so that a float holds it.
        return Float(sum)
      }
    }
  }

  /// The quality of vectors of floats under cosine similarity.
  ///
  /// - Parameter vectors: [count, dimensions]
  public init?(
    floats vectors: [Float], dimensions: Int, classes: [Int], threads: Int,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    var unit = vectors
    unit.withUnsafeMutableBufferPointer { unit in
      for first in stride(from: 0, to: unit.count, by: dimensions) {
        let row = unit.extracting(first..<first + dimensions)
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if length > 0 { for index in row.indices { row[index] /= length } }
      }
    }
    let rows = unit
    self.init(classes: classes, threads: threads, progress: progress) { query, other in
      rows.withUnsafeBufferPointer { rows in
        let a = rows.extracting(query * dimensions..<(query + 1) * dimensions)
        let b = rows.extracting(other * dimensions..<(other + 1) * dimensions)
        return max(0, 1 - dot(a, b))
      }
    }
  }

  /// - Parameter distance: Of two pictures, by place; not negative.
  private init?(
    classes: [Int], threads: Int, progress: @escaping @Sendable (Int) -> Void,
    distance: @escaping @Sendable (Int, Int) -> Float
  ) {
    var sizes: [Int: Int] = [:]
    for name in classes { sizes[name, default: 0] += 1 }
    let queries = classes.indices.filter { sizes[classes[$0]]! > 1 }
    if queries.isEmpty { return nil }
    let done = Atomic<Int>(0)
    // Sums over fixed runs of queries, so that the number of threads changes nothing.
    let runs = stride(from: 0, to: queries.count, by: 64).map { queries[$0..<min($0 + 64, queries.count)] }
    var results = [Sums](repeating: Sums(), count: runs.count)
    results.withUnsafeMutableBufferPointer { results in
      // Each run writes its own result.
      nonisolated(unsafe) let results = results
      let workers = max(1, min(threads, runs.count))
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        for run in stride(from: worker, to: runs.count, by: workers) {
          var sums = Sums()
          for query in runs[run] { sums.add(ranking(of: query, classes, distance)) }
          results[run] = sums
          progress(done.add(runs[run].count, ordering: .relaxed).newValue)
        }
      }
    }
    let total = results.reduce(into: Sums()) { $0.add($1) }
    meanAveragePrecision = total.averagePrecision / Double(queries.count)
    precisionAt1 = total.first / Double(queries.count)
    precisionAt10 = total.ten / Double(queries.count)
  }
}

/// Whether each of the others, the nearest first, is of the query's class.
private func ranking(of query: Int, _ classes: [Int], _ distance: (Int, Int) -> Float) -> [Bool] {
  var keys: [UInt64] = []
  keys.reserveCapacity(classes.count)
  for other in classes.indices where other != query {
    // The bits of floats that aren't negative order as the floats do.
    keys.append(UInt64(distance(query, other).bitPattern) << 32 | UInt64(other))
  }
  keys.sort()
  return keys.map { classes[Int($0 & 0xFFFF_FFFF)] == classes[query] }
}

/// What is summed over queries.
private struct Sums {
  var averagePrecision = 0.0
  var first = 0.0
  var ten = 0.0

  mutating func add(_ ranking: [Bool]) {
    var (hits, sum) = (0, 0.0)
    for (place, isHit) in ranking.enumerated() where isHit {
      hits += 1
      sum += Double(hits) / Double(place + 1)
    }
    averagePrecision += sum / Double(hits)
    first += ranking[0] ? 1 : 0
    // A class of fewer pictures can't fill ten places; what there is counts.
    let places = min(10, hits)
    ten += Double(ranking.prefix(places).count { $0 }) / Double(places)
  }

  mutating func add(_ other: Sums) {
    averagePrecision += other.averagePrecision
    first += other.first
    ten += other.ten
  }
}
