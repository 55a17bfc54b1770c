import CSQLite
import Foundation
import Imaging

/// SQLITE_IOERR_SHORT_READ, a macro made of others.
private let shortRead = SQLITE_IOERR | 2 << 8

/// A connection to an SQLite file, for one thread at a time.
final class Database {
  /// What may be done with the file.
  enum Access {
    /// Read and write; the file is made if there is none.
    case create
    /// Read only; the file must be there. `immutable` reads one that lies where nothing can be written.
    case read(immutable: Bool)
    /// No file at all: everything is gone when the connection is.
    case memory
  }

  let path: BytePath
  private let handle: OpaquePointer

  init(_ path: BytePath, _ access: Access) throws(IndexError) {
    self.path = path
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = path
    switch access {
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .read(let immutable):
      flags |= SQLITE_OPEN_READONLY
      if immutable {
        flags |= SQLITE_OPEN_URI
        name = Self.immutableAddress(of: path)
      }
    case .memory:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
      name = ":memory:"
    }
    var handle: OpaquePointer?
    let code = name.withCString { sqlite3_open_v2($0, &handle, flags, nil) }
    guard code == SQLITE_OK, let handle else {
      let error = Self.error(code, handle, path)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that have no result.
  func execute(_ sql: String) throws(IndexError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// A statement to be run, perhaps many times. It mustn't outlive the connection, and keeps it alive.
  func prepare(_ sql: String) throws(IndexError) -> Statement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    return Statement(statement!, of: self)
  }

  /// Does all of `body` or, where it throws, nothing.
  func transaction<Result>(_ body: () throws(IndexError) -> Result) throws(IndexError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(IndexError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A full disk has rolled back already.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// One number.
  func number(_ sql: String) throws(IndexError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.number(0) : 0
  }

  /// The id of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last statement changed.
  var changeCount: Int { Int(sqlite3_changes(handle)) }

  /// - Parameter code: what a function of SQLite returned.
  func check(_ code: Int32) throws(IndexError) {
    if code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE { throw Self.error(code, handle, path) }
  }

  private static func error(_ code: Int32, _ handle: OpaquePointer?, _ path: BytePath) -> IndexError {
    let words = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    let number = handle.map { sqlite3_system_errno($0) } ?? 0
    let reason: IndexError.Reason =
      switch code & 0xff {
      // Its tables aren't those that they should be, or its header says nonsense.
      case SQLITE_CORRUPT, SQLITE_ERROR: .damaged(words)
      case SQLITE_NOTADB: .damaged("it is no SQLite file")
      case SQLITE_FULL: .diskFull
      case SQLITE_IOERR where number == ENOSPC || number == EDQUOT: .diskFull
      // What is shorter than it says: SQLite reads beyond the end.
      case SQLITE_IOERR where code == shortRead: .damaged("a part of it is missing")
      case SQLITE_BUSY, SQLITE_LOCKED: .locked("another program")
      default: .inaccessible(number == 0 ? words : "\(words): \(SystemMessage.text(number))")
      }
    return IndexError(path: path, reason: reason)
  }

  /// A file that nobody changes, as SQLite's addresses say it.
  private static func immutableAddress(of path: BytePath) -> BytePath {
    let plain = Array("/.-_".utf8)
    var address = "file:"
    for byte in path.bytes {
      let scalar = Unicode.Scalar(byte)
      if plain.contains(byte) || (byte < 0x80 && scalar.properties.isAlphabetic) || (0x30...0x39).contains(byte) {
        address.unicodeScalars.append(scalar)
      } else {
        address += "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return BytePath(address + "?immutable=1")
  }
}

/// A statement of SQL with places for values, counted from 1, and columns, counted from 0.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  fileprivate init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Runs the statement with values, for its effect.
  func run(_ values: Value...) throws(IndexError) {
    try start(values)
    _ = try step()
    sqlite3_reset(handle)
  }

  /// Makes the statement ready to be stepped through from its first row.
  func start(_ values: [Value]) throws(IndexError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() { try database.check(bind(value, at: Int32(index + 1))) }
  }

  /// Goes to the next row.
  /// - Returns: whether there is one.
  func step() throws(IndexError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    // Lets go of the row's page, and makes the error available.
    let end = sqlite3_reset(handle)
    try database.check(code == SQLITE_DONE ? end : code)
    return false
  }

  /// Ends a statement of which not all rows were wanted.
  func end() { sqlite3_reset(handle) }

  // MARK: - Columns of the row

  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(handle, column).map { String(cString: $0) }
  }

  func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  // MARK: - Values

  /// What SQLite can store.
  enum Value {
    case integer(Int64)
    case blob([UInt8])
    case string(String)
    case null

    /// An integer; the bits of one without a sign.
    static func number(_ value: some BinaryInteger) -> Value { .integer(Int64(truncatingIfNeeded: value)) }
    static func number(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
    static func text(_ value: String?) -> Value { value.map { .string($0) } ?? .null }
    static func path(_ path: BytePath) -> Value { .blob(path.bytes) }
  }

  private func bind(_ value: Value, at index: Int32) -> Int32 {
    // SQLite is to copy what it is given.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .blob(let bytes):
      return bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : bytes.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), copied) }
    case .string(let text):
      return text.withCString { sqlite3_bind_text(handle, index, $0, Int32(text.utf8.count), copied) }
    case .null: return sqlite3_bind_null(handle, index)
    }
  }
}
