import Atlas
import Features
import Foundation
import Imaging
import Library

/// Where a library's index is: in a map's folder, or wherever a person wants it.
public struct IndexPlace: Sendable {
  /// The index, from the root folder.
  public let path: BytePath
  /// The map's folder that it is in; nil for an index elsewhere.
  private let folder: BytePath?

  /// - Parameters:
  ///   - index: the index; nil for the one in the map's folder.
  ///   - map: the map's folder.
  public init(index: BytePath?, map: BytePath) throws(EngineError) {
    if let index {
      // SQLite's other files, and the lock, lie beside the file itself, whatever links lead to it.
      path = try index.absolute().linkTarget()
      folder = nil
    } else {
      // The folder may be a link; the index must have one name.
      let map = try map.absolute()
      folder = map.resolved() ?? map
      path = folder!.appending("index.sqlite")
    }
  }

  /// Whether an index may be made here: a folder of someone else's files is left alone.
  func check() throws(EngineError) {
    guard let folder, !isThere else { return }
    try mapping { () throws(AtlasError) in try MapWriter(destination: folder).checkFolder() }
  }

  /// Opens the index for writing; makes it, and the map's folder, where there is none.
  /// - Parameters:
  ///   - request: which network computes vectors.
  ///   - rebuilds: whether to begin with an empty one.
  /// - Returns: the index, and the network.
  func open(_ request: ModelRequest, rebuilds: Bool) throws(EngineError) -> (LibraryIndex, NetworkModel) {
    if let folder, folder.withCString({ mkdir($0, 0o777) }) != 0, errno != EEXIST {
      throw folder.failure("made", errno: errno)
    }
    if rebuilds {
      let old = try? LibraryIndex(reading: path)
      let model = try request.model(replacing: (try? old?.model) ?? nil)
      return (
        try indexing { () throws(IndexError) in
          try LibraryIndex(writingTo: path, model: model.identity, rebuilds: true)
        }, model
      )
    }
    let index = try indexing { () throws(IndexError) in try LibraryIndex(writingTo: path, model: nil) }
    do throws(EngineError) {
      let model = try request.model(for: indexing { () throws(IndexError) in try index.model })
      try indexing { () throws(IndexError) in try index.begin(with: model.identity) }
      return (index, model)
    } catch {
      discard(index)
      throw error
    }
  }

  /// Opens an index that is there for writing, whatever made its vectors.
  func openToChange() throws(EngineError) -> LibraryIndex {
    try indexing { () throws(IndexError) in try LibraryIndex(writingTo: path, model: nil) }
  }

  /// Opens the index for reading.
  func openForReading() throws(EngineError) -> LibraryIndex {
    try indexing { () throws(IndexError) in try LibraryIndex(reading: path) }
  }

  /// Whether there is an index.
  var isThere: Bool { path.withCString { access($0, F_OK) } == 0 }

  /// Removes an index that this run has made and nothing came of, and the folder if there is nothing else in it.
  func discard(_ index: LibraryIndex) {
    guard index.isNew, index.isEmpty else { return }
    index.discard()
    if let folder { _ = folder.withCString { rmdir($0) } }
  }
}

extension BytePath {
  /// The path of the file that links lead to, which need not be there.
  fileprivate func linkTarget(depth: Int = 0) -> BytePath {
    if let resolved = resolved() { return resolved }
    let parent = BytePath(bytes.dropLast(lastComponent.count))
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = withCString { readlink($0, &buffer, buffer.count) }
    if count > 0, depth < 40 {
      let target = buffer[..<count].map { UInt8(bitPattern: $0) }
      let next = target.first == UInt8(ascii: "/") ? BytePath(target) : parent.appending(target)
      return next.linkTarget(depth: depth + 1)
    }
    return parent.resolved().map { $0.appending(lastComponent) } ?? self
  }
}

/// Turns what the index throws into the engine's error.
func indexing<Result>(_ body: () throws(IndexError) -> Result) throws(EngineError) -> Result {
  do throws(IndexError) {
    return try body()
  } catch {
    throw EngineError(error)
  }
}

extension EngineError {
  init(_ error: IndexError) {
    let kind: Kind = error.isOfIndex ? .index : error.reason == .missing ? .nothingUsable : .failed
    self.init(kind, error.description)
  }

  /// The engine's error for any.
  init(any error: any Error) {
    switch error {
    case let error as EngineError: self = error
    case let error as IndexError: self.init(error)
    default: self.init(.failed, "\(error)")
    }
  }
}
