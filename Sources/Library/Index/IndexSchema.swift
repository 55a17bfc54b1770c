/// The tables of an index, and how those of earlier versions become them.
///
///     picture      a file: path, size, time, place on the file system, and which content it has
///     content      what is in files with these bytes: hash, size, format, date, how much of it could be decoded
///     vector       a content's feature vectors, 114 bytes; rows this small are read at the speed of the disk
///     thumbnail    a content's thumbnail, a JPEG file, and one of half the size, of which maps are put together
///     map          which picture lay where on the last map that was written to a folder
///     root         the folders of the last run, and the file systems that they were on
///     setting      what holds for all of the index: which model made the vectors, and the like
///
/// Files with the same bytes share a content. Each row with facts has a checksum of them (the low half of XXH3), since
/// SQLite notices only damage to its own structures.
enum IndexSchema {
  /// In the file's header; "kian" as a number.
  static let applicationID: Int32 = 0x6b69_616e

  /// Step n makes version n + 1 of version n; version 0 is an empty file.
  static let steps = [
    """
    CREATE TABLE setting(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE root(path BLOB PRIMARY KEY, device INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE content(
      id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, format TEXT NOT NULL,
      width INTEGER NOT NULL, height INTEGER NOT NULL, orientation INTEGER NOT NULL, taken TEXT, damage TEXT,
      checksum INTEGER NOT NULL);
    CREATE INDEX content_bytes ON content(bytes);
    CREATE TABLE vector(content INTEGER PRIMARY KEY, bytes BLOB NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE thumbnail(
      content INTEGER PRIMARY KEY, half BLOB NOT NULL, half_checksum INTEGER NOT NULL, jpeg BLOB NOT NULL,
      checksum INTEGER NOT NULL);
    CREATE TABLE picture(
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, modified INTEGER NOT NULL,
      device INTEGER NOT NULL, inode INTEGER NOT NULL, content INTEGER, reason TEXT, conditions INTEGER NOT NULL,
      state INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE INDEX picture_inode ON picture(inode);
    CREATE INDEX picture_content ON picture(content);
    CREATE TABLE map(
      path BLOB PRIMARY KEY, edition TEXT NOT NULL, contents INTEGER NOT NULL, settings TEXT NOT NULL,
      drawing TEXT NOT NULL, changes INTEGER NOT NULL, columns INTEGER NOT NULL, cells BLOB NOT NULL,
      checksum INTEGER NOT NULL) WITHOUT ROWID;
    """
  ]

  static var version: Int { steps.count }

  /// Makes the tables those of this version.
  /// - Throws: where they are of a later one, or of something else.
  static func migrate(_ database: Database) throws(IndexError) {
    let found = Int(try database.number("PRAGMA user_version"))
    let application = try database.number("PRAGMA application_id")
    if found == 0, try database.number("SELECT count(*) FROM sqlite_master") > 0 || application != 0 {
      throw IndexError(path: database.path, reason: .foreign)
    }
    if found > 0, application != applicationID { throw IndexError(path: database.path, reason: .foreign) }
    if found > version { throw IndexError(path: database.path, reason: .newer(version: found)) }
    if found == version { return }
    try database.transaction { () throws(IndexError) in
      for step in steps[found...] { try database.execute(step) }
      try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }
}
