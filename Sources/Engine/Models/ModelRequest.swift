import Features
import Library

/// Which network a job computes vectors with.
public struct ModelRequest: Sendable {
  /// Its name; nil for that of the index, or else the built-in one.
  public var name: String?
  /// Whether the library learns a projection of its own, which its index keeps.
  public var fitsProjection = false
  /// Where models are.
  public var store = ModelStore()

  /// The network of the index, with its own projection.
  public init() {}

  /// The network for an index.
  /// - Parameter made: the identity of the network that made the vectors of the index; nil where there are none.
  /// - Throws: where the network can't be had. That it is the one of the index, the index itself checks.
  func model(for made: String?) throws(EngineError) -> NetworkModel {
    if let name { return try store.model(named: name) }
    guard let made else { return .kiano }
    let known = String(made.prefix { $0 != "/" })
    do {
      return try store.model(named: known)
    } catch {
      throw EngineError(
        .index,
        "the vectors of the index were made with the model '\(known)', which can't be used: \(error.description)")
    }
  }

  /// The network that the vectors of an index are of.
  /// - Throws: where it can't be had, or another was asked for.
  func model(of index: LibraryIndex) throws(EngineError) -> NetworkModel {
    let network = try model(for: indexing { () throws(IndexError) in try index.model })
    try indexing { () throws(IndexError) in try index.checkVectors(areOf: network.identity) }
    return network
  }

  /// The network for an index that is made anew: that of the old one, where it can be had.
  func model(replacing made: String?) throws(EngineError) -> NetworkModel {
    if name == nil, let made, let model = try? store.model(named: String(made.prefix { $0 != "/" })) { return model }
    return try model(for: nil)
  }
}
