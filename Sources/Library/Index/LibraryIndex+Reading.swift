import Features
import Imaging

/// The pictures of a map, as the index knows them.
public struct IndexedPictures: Sendable {
  /// Their numbers in the index.
  public let ids: [Int64]
  /// Their paths.
  public let paths: [BytePath]
  /// Their sizes and dates.
  public let facts: [Facts]
  /// The contents that they have: pictures with equal bytes have the same.
  public let contents: [Int64]
  /// Their vectors.
  public let vectors: FeatureVectors

  /// Stands for these pictures with these contents, in whatever order and of whatever names.
  public var mark: Int64 {
    zip(ids, contents).reduce(0) { sum, picture in
      let pair = [picture.0, picture.1]
      return sum &+ pair.withUnsafeBytes { Checksum.of($0) }
    }
  }

  /// What a map says of a picture.
  public struct Facts: Sendable, Equatable {
    /// Pixels in a row of the upright picture.
    public let width: Int
    /// Rows of the upright picture.
    public let height: Int
    /// When it was taken; see `DecodedPicture.takenAt`.
    public let takenAt: String?
    /// Whether only a part of the picture could be decoded.
    public let isPartial: Bool
  }
}

extension LibraryIndex {
  /// The pictures that a run found, in the order in which it found them.
  public func pictures(of changes: LibraryChanges) throws(IndexError) -> IndexedPictures {
    try pictures(changes.pictures)
  }

  /// The pictures of the last run, in the order of their paths.
  public func presentPictures() throws(IndexError) -> IndexedPictures {
    let rows = try statement("SELECT id FROM picture WHERE state = 0 AND content IS NOT NULL ORDER BY path")
    try rows.start([])
    var ids: [Int64] = []
    while try rows.step() { ids.append(rows.number(0)) }
    return try pictures(ids)
  }

  /// Whether the file of a picture is as large and as old as the index has it.
  public func isUnchanged(_ path: BytePath) throws(IndexError) -> Bool {
    guard let identity = try? FileStatus(of: path, followingLink: true).identity else { return false }
    let rows = try statement("SELECT bytes, modified FROM picture WHERE path = ?")
    defer { rows.end() }
    try rows.start([.path(path)])
    return try rows.step() && rows.number(0) == identity.size && rows.number(1) == identity.modifiedNanoseconds
  }

  /// Pictures with their vectors, each table read once from its beginning to its end.
  private func pictures(_ ids: [Int64]) throws(IndexError) -> IndexedPictures {
    let places = Places(ids)
    var paths = [BytePath](repeating: "", count: ids.count)
    var contents = [Int64](repeating: 0, count: ids.count)
    let rows = try statement("SELECT id, path, content FROM picture WHERE content IS NOT NULL ORDER BY id")
    try rows.start([])
    var next = 0
    while try rows.step() {
      let id = rows.number(0)
      while next < places.count, places.key(next) == id {
        let place = places.place(next)
        paths[place] = BytePath(rows.bytes(1))
        contents[place] = rows.number(2)
        next += 1
      }
    }
    guard next == ids.count else { throw damaged("pictures are missing in it") }
    let byContent = Places(contents)
    return IndexedPictures(
      ids: ids, paths: paths, facts: try facts(byContent), contents: contents, vectors: try vectors(byContent))
  }

  private func facts(_ places: Places) throws(IndexError) -> [IndexedPictures.Facts] {
    let nothing = IndexedPictures.Facts(width: 0, height: 0, takenAt: nil, isPartial: false)
    var facts = [IndexedPictures.Facts](repeating: nothing, count: places.count)
    let rows = try statement(
      "SELECT id, hash, bytes, format, width, height, orientation, taken, damage, checksum FROM content ORDER BY id")
    try rows.start([])
    var next = 0
    while try rows.step() {
      let id = rows.number(0)
      guard next < places.count, places.key(next) == id else { continue }
      guard let row = ContentRow(rows, first: 1) else { throw damaged("the size or date of a picture has changed") }
      let fact = IndexedPictures.Facts(
        width: row.width, height: row.height, takenAt: row.takenAt, isPartial: row.damage != nil)
      while next < places.count, places.key(next) == id {
        facts[places.place(next)] = fact
        next += 1
      }
    }
    guard next == places.count else { throw damaged("pictures are missing in it") }
    return facts
  }

  private func vectors(_ places: Places) throws(IndexError) -> FeatureVectors {
    let (first, second) = (Projection.outputCount, AppearanceVector.count)
    var content = [UInt8](repeating: 0, count: places.count * first)
    var appearance = [UInt8](repeating: 0, count: places.count * second)
    let rows = try statement("SELECT content, bytes, checksum FROM vector ORDER BY content")
    try rows.start([])
    var next = 0
    while try rows.step() {
      let id = rows.number(0)
      guard next < places.count, places.key(next) == id else { continue }
      let checksum = rows.number(2)
      let isIntact = rows.withBytes(1) { bytes in
        guard bytes.count == FeatureVectors.byteCount, Checksum.of(bytes) == checksum else { return false }
        while next < places.count, places.key(next) == id {
          let place = places.place(next)
          content.withUnsafeMutableBytes { copy(bytes[..<first], to: $0, at: place * first) }
          appearance.withUnsafeMutableBytes { copy(bytes[first...], to: $0, at: place * second) }
          next += 1
        }
        return true
      }
      guard isIntact else { throw damaged("the vectors of a picture have changed") }
    }
    guard next == places.count else { throw damaged("vectors are missing in it") }
    return FeatureVectors(content: content, appearance: appearance)
  }

  private func copy(_ part: Slice<UnsafeRawBufferPointer>, to target: UnsafeMutableRawBufferPointer, at offset: Int) {
    UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + part.count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
  }
}

/// Where keys stand in an array, by rising key, so that it can be filled while a table is read from its beginning.
private struct Places {
  private let order: [(key: Int64, place: UInt32)]

  init(_ keys: [Int64]) {
    var order = keys.enumerated().map { (key: $1, place: UInt32($0)) }
    order.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    self.order = order
  }

  var count: Int { order.count }
  func key(_ index: Int) -> Int64 { order[index].key }
  func place(_ index: Int) -> Int { Int(order[index].place) }
}
