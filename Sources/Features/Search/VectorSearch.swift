import Compute

/// A vector of a library, and how far it is from what was asked for.
public struct Neighbour: Sendable, Equatable, Comparable {
  /// Its distance: see `Similarity.key`.
  public let key: UInt64
  /// Its number in the library.
  public let index: Int32

  /// The nearer one comes first, and of two equally near ones that of the lower number.
  public static func < (left: Neighbour, right: Neighbour) -> Bool {
    left.key != right.key ? left.key < right.key : left.index < right.index
  }
}

/// Two vectors of a library that are near each other.
public struct VectorPair: Sendable, Equatable {
  /// The one with the lower number.
  public let first: Int32
  /// The one with the higher number.
  public let second: Int32
  /// Their distance: see `Similarity.key`.
  public let key: UInt64
}

/// Compares vectors with all those of a library; in plain Swift and in OpenCL, with the same results.
public protocol VectorSearch: Sendable {
  /// The vectors of the library nearest to each query, nearest first; of equally near ones the lower number comes first.
  ///
  /// - Parameters:
  ///   - count: How many for each query.
  ///   - queries: What is looked for.
  ///   - similarity: How far vectors are apart.
  /// - Returns: For each query `count` of them, or all where there are fewer.
  /// - Throws: `ComputeError` where the device fails; plain Swift throws nothing.
  func nearest(
    _ count: Int, to queries: FeatureVectors, by similarity: Similarity
  ) throws(ComputeError) -> [[Neighbour]]

  /// All pairs of vectors of the library whose key is `key` at the most.
  ///
  /// - Parameter row: Pairs whose first vector is before this one are left out.
  /// - Parameter body: Takes some pairs, each once, in any order, and how many vectors have been compared with all
  ///   later ones; tells whether to go on.
  /// - Throws: `ComputeError` where the device fails; plain Swift throws nothing.
  func forEachPair(
    from row: Int, within key: UInt64, by similarity: Similarity, _ body: ([VectorPair], Int) -> Bool
  ) throws(ComputeError)
}

extension VectorSearch {
  /// All pairs.
  public func forEachPair(
    within key: UInt64, by similarity: Similarity, _ body: ([VectorPair], Int) -> Bool
  ) throws(ComputeError) {
    try forEachPair(from: 0, within: key, by: similarity, body)
  }
}

/// The nearest neighbours that were found so far.
struct NearestList {
  private let limit: Int
  private var nearest: [Neighbour] = []
  private var others: [Neighbour] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// A neighbour has to have a lower key to be among the nearest, once all of `others` were taken in; `UInt64.max` where
  /// any will do.
  private(set) var bound = UInt64.max

  /// Takes a neighbour.
  mutating func append(_ neighbour: Neighbour) {
    others.append(neighbour)
  }

  /// Whether so many were appended that they should be sorted.
  var isFull: Bool { others.count >= 64 + limit }

  /// Sorts what was appended. Neighbours must come by rising numbers from one call to the next, since of equally near
  /// ones the first are kept.
  mutating func settle() {
    if others.isEmpty { return }
    nearest += others
    others.removeAll(keepingCapacity: true)
    nearest.sort()
    if nearest.count >= limit {
      nearest.removeLast(nearest.count - limit)
      bound = limit == 0 ? 0 : nearest[limit - 1].key
    }
  }

  /// All that was found, nearest first.
  var sorted: [Neighbour] { nearest }
}
