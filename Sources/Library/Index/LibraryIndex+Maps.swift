import Imaging

/// What an index knows of a map that was made from it.
public struct MapRecord: Sendable, Equatable {
  /// Stands for its pictures with their contents, whatever their order and names: see `IndexedPictures.mark`.
  public let contents: Int64
  /// What the arrangement depends on beside the pictures, in words.
  public let settings: String
  /// Cells in a row.
  public let columns: Int
  /// For each cell, row by row, the number of its picture in the index; 0 where there is none.
  public let cells: [Int64]
  /// The arrangement's checksum, as the map says it.
  public let arrangement: String

  /// A record.
  /// - Precondition: the cells are whole rows.
  public init(
    contents: Int64, settings: String, columns: Int, cells: [Int64], arrangement: String
  ) {
    precondition(columns > 0 && cells.count.isMultiple(of: columns))
    self.contents = contents
    self.settings = settings
    self.columns = columns
    self.cells = cells
    self.arrangement = arrangement
  }
}

extension LibraryIndex {
  /// Stands for what a map shows: two of equal ones show the same, as long as the generation is the same too.
  public func mark(of changes: LibraryChanges, failures: [(path: BytePath, reason: String)]) -> Int64 {
    var bytes: [UInt8] = []
    changes.pictures.withUnsafeBytes { bytes.append(contentsOf: $0) }
    for (path, reason) in failures { bytes += path.bytes + [0] + Array(reason.utf8) + [0] }
    for kind in SkippedKind.allCases { bytes += Array("\(changes.scan.skipped[kind, default: 0]),".utf8) }
    return Checksum.of(bytes)
  }

  /// The map that was last written to a folder; nil where there is none, or what is known of it makes no sense.
  /// - Parameter destination: the folder, from the root.
  public func map(at destination: BytePath) throws(IndexError) -> MapRecord? {
    let row = try statement(
      "SELECT contents, settings, columns, cells, arrangement, checksum FROM map WHERE path = ?")
    defer { row.end() }
    try row.start([.path(destination)])
    guard try row.step(), let settings = row.text(1), let arrangement = row.text(4) else { return nil }
    let (contents, columns) = (row.number(0), row.number(2))
    let expected = row.number(5)
    return row.withBytes(3) { bytes in
      let text = settings + "\n" + arrangement
      guard Checksum.of([contents, columns], bytes, text: text) == expected, columns > 0,
        bytes.count.isMultiple(of: 8 * Int(columns))
      else { return nil }
      let cells = (0..<bytes.count / 8).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
      }
      return MapRecord(
        contents: contents, settings: settings, columns: Int(columns), cells: cells,
        arrangement: arrangement)
    }
  }

  /// Remembers a map. This alone doesn't change the generation.
  public func remember(_ map: MapRecord, at destination: BytePath) throws(IndexError) {
    let cells = map.cells.map(\.littleEndian).withUnsafeBytes { Array($0) }
    let text = map.settings + "\n" + map.arrangement
    let checksum = cells.withUnsafeBytes {
      Checksum.of([map.contents, Int64(map.columns)], $0, text: text)
    }
    try statement("INSERT OR REPLACE INTO map VALUES (?, ?, ?, ?, ?, ?, ?)").run(
      .path(destination), .integer(map.contents), .string(map.settings),
      .number(map.columns), .blob(cells), .string(map.arrangement), .integer(checksum))
  }
}
