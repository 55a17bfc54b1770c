import Features
import Imaging

/// A file that has to be read.
public struct PendingFile: Sendable, Equatable {
  /// Its number among those of a comparison.
  public let number: Int64
  /// The file as the scan saw it.
  public let file: ScannedFile
}

/// What became of a file that was read.
public struct ReadFile: Sendable {
  /// Its number among those of the comparison.
  public let number: Int64
  /// The file as it was when it was read.
  public let file: ScannedFile
  /// The picture in it, or why there is none.
  public let outcome: Outcome

  /// The ends that it may come to.
  public enum Outcome: Sendable {
    /// A picture whose content isn't in the index.
    case picture(NewContent)
    /// A file with the same bytes as one that is in the index, or comes before it in the same batch.
    case known(ContentHash)
    /// It can't be used, and won't be under these conditions; nil for one of a format that this build can't read.
    case failure(reason: String?, conditions: Int64)
  }

  /// A file that was read.
  public init(number: Int64, file: ScannedFile, outcome: Outcome) {
    self.number = number
    self.file = file
    self.outcome = outcome
  }
}

/// What the index keeps of a content.
public struct NewContent: Sendable {
  /// Of all bytes of the file.
  public let hash: ContentHash
  /// Size, format, date and so on. Its pictures aren't kept.
  public let facts: ContentFacts
  /// Its vectors, content before appearance.
  public let vector: [UInt8]
  /// A JPEG file.
  public let thumbnail: [UInt8]
  /// A JPEG file of half its width and height.
  public let halfThumbnail: [UInt8]

  /// A content.
  /// - Precondition: the vector has `FeatureVectors.byteCount` bytes.
  public init(hash: ContentHash, facts: ContentFacts, vector: [UInt8], thumbnail: [UInt8], halfThumbnail: [UInt8]) {
    precondition(vector.count == FeatureVectors.byteCount)
    self.hash = hash
    self.facts = facts
    self.vector = vector
    self.thumbnail = thumbnail
    self.halfThumbnail = halfThumbnail
  }
}

/// What is known of a picture beside how it looks.
public struct ContentFacts: Sendable, Equatable {
  /// What the file's first bytes said.
  public let format: ImageFormat
  /// Pixels in a row of the upright picture.
  public let width: Int
  /// Rows of the upright picture.
  public let height: Int
  /// How the stored picture had to be turned.
  public let orientation: Orientation
  /// When it was taken; see `DecodedPicture.takenAt`.
  public let takenAt: String?
  /// What was wrong with a picture of which only a part could be decoded.
  public let damage: String?

  /// The facts of a whole, upright picture.
  public init(format: ImageFormat, width: Int, height: Int, takenAt: String? = nil) {
    self.format = format
    self.width = width
    self.height = height
    orientation = .upright
    self.takenAt = takenAt
    damage = nil
  }

  /// The facts of a decoded picture.
  public init(_ picture: DecodedPicture) {
    format = picture.format
    (width, height) = (picture.width, picture.height)
    orientation = picture.orientation
    takenAt = picture.takenAt
    if case .partial(let words) = picture.completeness { damage = words } else { damage = nil }
  }
}

extension LibraryIndex {
  // MARK: - What needs no reading

  /// Writes down what a comparison found that needs no file to be read: names that have changed, pictures that are gone
  /// or there again. The roots are remembered for the next comparison.
  public func apply(_ changes: inout LibraryChanges) throws(IndexError) {
    if !changes.newStates.isEmpty || changes.movedCount + changes.linkedCount > 0 {
      try write { () throws(IndexError) in
        let state = try statement("UPDATE picture SET state = ? WHERE id = ?")
        for (picture, new) in changes.newStates { try state.run(.integer(new.rawValue), .integer(picture)) }
        let files = try pendingFiles("kind = \(PendingKind.sameFile.rawValue)", limit: .max)
        let source = try statement(
          "SELECT source, content FROM temp.pending JOIN picture ON id = source WHERE number = ?")
        for pending in files {
          try source.start([.integer(pending.number)])
          guard try source.step() else { continue }
          let content = source.number(1)
          source.end()
          changes.resolved[Int(pending.number) - 1] = try give(content, to: pending.file)
          try settle(pending.number)
        }
      }
    }
    try rememberRoots(changes)
  }

  private func rememberRoots(_ changes: LibraryChanges) throws(IndexError) {
    var known: [BytePath: Int64] = [:]
    let rows = try statement("SELECT path, device FROM root")
    try rows.start([])
    while try rows.step() { known[BytePath(rows.bytes(0))] = rows.number(1) }
    let roots = Dictionary(changes.roots.filter { $0.device != -1 }.map { ($0.path, $0.device) }) { first, _ in first }
    if known == roots { return }
    try database.transaction { () throws(IndexError) in
      try database.execute("DELETE FROM root")
      for (path, device) in roots { try statement("INSERT INTO root VALUES (?, ?)").run(.path(path), .integer(device)) }
    }
  }

  // MARK: - What has to be read

  /// Pending files of which the index may know the content: there is one of the same size.
  /// - Parameter after: only those of higher numbers.
  public func filesPerhapsKnown(after: Int64, limit: Int) throws(IndexError) -> [PendingFile] {
    try pendingFiles(
      "kind = \(PendingKind.new.rawValue) AND number > \(after) AND EXISTS (SELECT 1 FROM content WHERE "
        + "content.bytes = pending.bytes)", limit: limit)
  }

  /// Pending files, in the order of the scan.
  /// - Parameter after: only those of higher numbers.
  public func filesToRead(after: Int64, limit: Int) throws(IndexError) -> [PendingFile] {
    try pendingFiles("kind <> \(PendingKind.sameFile.rawValue) AND number > \(after)", limit: limit)
  }

  private func pendingFiles(_ condition: String, limit: Int) throws(IndexError) -> [PendingFile] {
    let rows = try database.prepare(
      "SELECT number, path, bytes, modified, device, inode FROM temp.pending WHERE \(condition) ORDER BY number LIMIT ?"
    )
    try rows.start([.number(limit)])
    var files: [PendingFile] = []
    while try rows.step() {
      files.append(
        PendingFile(
          number: rows.number(0),
          file: ScannedFile(
            path: BytePath(rows.bytes(1)),
            identity: FileIdentity(
              device: UInt64(bitPattern: rows.number(4)), inode: UInt64(bitPattern: rows.number(5)),
              size: rows.number(2), modifiedNanoseconds: rows.number(3)))))
    }
    return files
  }

  private func settle(_ number: Int64) throws(IndexError) {
    try statement("DELETE FROM temp.pending WHERE number = ?").run(.integer(number))
  }

  /// Whether a content is known.
  public func knows(_ hash: ContentHash) throws(IndexError) -> Bool { try content(hash) != nil }

  /// The number of the content with this hash; nil where there is none.
  private func content(_ hash: ContentHash) throws(IndexError) -> Int64? {
    let row = try statement("SELECT id FROM content WHERE hash = ?")
    defer { row.end() }
    try row.start([.blob(hash.bytes)])
    return try row.step() ? row.number(0) : nil
  }

  /// Writes down what became of files, all of it or nothing.
  public func record(_ files: [ReadFile], in changes: inout LibraryChanges) throws(IndexError) {
    let ids = try write { () throws(IndexError) -> [Int64] in
      var ids: [Int64] = []
      // Pictures may have traded contents: what one no longer has the next may have now.
      defer { replacedContents.removeAll() }
      for read in files {
        switch read.outcome {
        case .picture(let content):
          ids.append(try give(try add(content, bytes: read.file.identity.size), to: read.file))
        case .known(let hash):
          guard let content = try content(hash) else { throw damaged("a picture is missing in it") }
          ids.append(try give(content, to: read.file))
        case .failure(let reason, let conditions):
          try put(read.file, content: nil, reason: reason, conditions: conditions)
          ids.append(0)
        }
        try settle(read.number)
      }
      for content in replacedContents { try forgetIfUnused(content) }
      return ids
    }
    for (read, id) in zip(files, ids) { changes.resolved[Int(read.number) - 1] = id }
  }

  private func add(_ content: NewContent, bytes: Int64) throws(IndexError) -> Int64 {
    // Two files of one batch may be equal.
    if let known = try self.content(content.hash) { return known }
    let facts = content.facts
    let row = ContentRow(hash: content.hash.bytes, bytes: bytes, facts: facts)
    try statement("INSERT INTO content VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      .blob(row.hash), .integer(bytes), .string(facts.format.rawValue), .number(facts.width), .number(facts.height),
      .number(facts.orientation.rawValue), .text(facts.takenAt), .text(facts.damage), .integer(row.checksum))
    let id = database.lastRow
    try statement("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)").run(
      .integer(id), .blob(content.vector), .integer(Checksum.of(content.vector)))
    try statement("INSERT OR REPLACE INTO thumbnail VALUES (?, ?, ?, ?, ?)").run(
      .integer(id), .blob(content.halfThumbnail), .integer(Checksum.of(content.halfThumbnail)),
      .blob(content.thumbnail), .integer(Checksum.of(content.thumbnail)))
    return id
  }

  /// Gives a content to the picture of this path. A picture of the same content whose file is gone is taken to have
  /// been moved here: it keeps its number, and with it its place on the map.
  /// - Returns: the picture.
  private func give(_ content: Int64, to file: ScannedFile) throws(IndexError) -> Int64 {
    let gone = try statement(
      "SELECT id FROM picture WHERE content = ? AND state = \(PictureState.gone.rawValue) AND path <> ? "
        + "AND NOT EXISTS (SELECT 1 FROM picture WHERE path = ?) ORDER BY id LIMIT 1")
    try gone.start([.integer(content), .path(file.path), .path(file.path)])
    if try gone.step() {
      let id = gone.number(0)
      gone.end()
      try statement("UPDATE picture SET path = ? WHERE id = ?").run(.path(file.path), .integer(id))
    }
    return try put(file, content: content, reason: nil, conditions: 0)
  }

  @discardableResult
  private func put(
    _ file: ScannedFile, content: Int64?, reason: String?, conditions: Int64
  ) throws(IndexError) -> Int64 {
    let identity = file.identity
    let facts = [
      identity.size, identity.modifiedNanoseconds, Int64(bitPattern: identity.device),
      Int64(bitPattern: identity.inode), content ?? -1, conditions,
    ]
    let checksum = file.path.bytes.withUnsafeBytes { Checksum.of(facts, $0, text: reason) }
    let known = try statement("SELECT id, content FROM picture WHERE path = ?")
    try known.start([.path(file.path)])
    let values: [Statement.Value] = [
      .path(file.path), .number(identity.size), .number(identity.modifiedNanoseconds), .number(identity.device),
      .number(identity.inode), .number(content), .text(reason), .integer(conditions),
      .integer(PictureState.present.rawValue), .integer(checksum),
    ]
    guard try known.step() else {
      let insert = try statement("INSERT INTO picture VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      try insert.start(values)
      _ = try insert.step()
      return database.lastRow
    }
    let id = known.number(0)
    let earlier = known.isNull(1) ? nil : known.number(1)
    known.end()
    let update = try statement(
      """
      UPDATE picture SET path = ?, bytes = ?, modified = ?, device = ?, inode = ?, content = ?, reason = ?,
        conditions = ?, state = ?, checksum = ? WHERE id = ?
      """)
    try update.start(values + [.integer(id)])
    _ = try update.step()
    if let earlier, earlier != content { replacedContents.insert(earlier) }
    return id
  }

  /// Removes a content that no picture has any more.
  func forgetIfUnused(_ content: Int64) throws(IndexError) {
    let users = try statement("SELECT 1 FROM picture WHERE content = ? LIMIT 1")
    defer { users.end() }
    try users.start([.integer(content)])
    if try users.step() { return }
    for table in ["content WHERE id", "vector WHERE content", "thumbnail WHERE content"] {
      try statement("DELETE FROM \(table) = ?").run(.integer(content))
    }
  }
}
