import Imaging

/// What an index knows of a map that was made from it.
public struct MapRecord: Sendable, Equatable {
  /// What the map itself says of its contents: see `MapContents.edition`.
  public let edition: String
  /// Stands for its pictures with their contents, whatever their order and names: see `IndexedPictures.mark`.
  public let contents: Int64
  /// What the arrangement depends on beside the pictures, in words.
  public let settings: String
  /// What its sheets look like beside the pictures, in words.
  public let drawing: String
  /// Pictures that have come or gone since all of it was sorted.
  public let changes: Int
  /// Cells in a row.
  public let columns: Int
  /// What was where, row by row.
  public let cells: [Cell]

  /// What lies in a cell; zeros where nothing does.
  public struct Cell: Sendable, Equatable {
    /// The number of the picture in the index.
    public let picture: Int64
    /// The number of the content that it had.
    public let content: Int64

    /// A cell with this picture.
    public init(picture: Int64, content: Int64) {
      self.picture = picture
      self.content = content
    }

    /// A cell without a picture.
    public static let hole = Cell(picture: 0, content: 0)
  }

  /// A record.
  /// - Precondition: the cells are whole rows.
  public init(
    edition: String, contents: Int64, settings: String, drawing: String, changes: Int, columns: Int, cells: [Cell]
  ) {
    precondition(columns > 0 && cells.count.isMultiple(of: columns))
    self.edition = edition
    self.contents = contents
    self.settings = settings
    self.drawing = drawing
    self.changes = changes
    self.columns = columns
    self.cells = cells
  }

  fileprivate func checksum(_ cells: UnsafeRawBufferPointer) -> Int64 {
    Checksum.of([contents, Int64(changes), Int64(columns)], cells, text: edition + "\n" + settings + "\n" + drawing)
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
      "SELECT edition, contents, settings, drawing, columns, cells, checksum, changes FROM map WHERE path = ?")
    defer { row.end() }
    try row.start([.path(destination)])
    guard try row.step(), let edition = row.text(0), let settings = row.text(2), let drawing = row.text(3) else {
      return nil
    }
    let columns = Int(row.number(4))
    let expected = row.number(6)
    return row.withBytes(5) { bytes in
      guard columns > 0, bytes.count.isMultiple(of: 16 * columns) else { return nil }
      func number(_ index: Int) -> Int64 {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
      }
      let cells = (0..<bytes.count / 16).map {
        MapRecord.Cell(picture: number(2 * $0), content: number(2 * $0 + 1))
      }
      let record = MapRecord(
        edition: edition, contents: row.number(1), settings: settings, drawing: drawing,
        changes: Int(row.number(7)), columns: columns, cells: cells)
      return record.checksum(bytes) == expected ? record : nil
    }
  }

  /// Remembers a map. This alone doesn't change the generation.
  public func remember(_ map: MapRecord, at destination: BytePath) throws(IndexError) {
    let numbers = map.cells.flatMap { [$0.picture.littleEndian, $0.content.littleEndian] }
    let cells = numbers.withUnsafeBytes { Array($0) }
    let checksum = cells.withUnsafeBytes { map.checksum($0) }
    try statement("INSERT OR REPLACE INTO map VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      .path(destination), .string(map.edition), .integer(map.contents), .string(map.settings), .string(map.drawing),
      .number(map.changes), .number(map.columns), .blob(cells), .integer(checksum))
  }
}
