import CSQLite
import Foundation
import Imaging

/// The memory of a library: what its pictures are and their vectors, so that a run does only what changed.
///
/// One SQLite file, in WAL mode: whatever happens to the process or the machine, it holds all transactions that were
/// finished. One process writes at a time, others may read meanwhile. For one thread at a time.
public final class LibraryIndex {
  /// The file.
  public let path: BytePath
  /// Where it is while it is being made anew: beside the one that it will replace.
  private let workingPath: BytePath
  /// What a run that ended without tidying up has left in the lock: nil where there was none.
  public let staleLockHolder: String?
  /// Whether this made the file.
  public let isNew: Bool

  private var connection: Database?
  private var lock: IndexLock?
  private var statements: [String: Statement] = [:]
  /// Contents that pictures had before this transaction, and that perhaps none has any more.
  var replacedContents: Set<Int64> = []

  /// Indexes up to this many bytes are checked whole when they are opened, which takes about a tenth of a second. Of
  /// larger ones, what is read is.
  private static let verifiedBytes = 64 << 20

  // MARK: - Opening

  /// Opens an index for writing, and makes it if there is none.
  /// - Parameters:
  ///   - model: the name of what computes vectors: it must be what computed those in the index; nil to compute none, or
  ///     until `begin` says.
  ///   - rebuilds: whether to make it anew, beside the one that is there, which `replaceOld` replaces. What an
  ///     interrupted run of the same kind has left there is gone on with.
  public init(writingTo path: BytePath, model: String?, rebuilds: Bool = false) throws(IndexError) {
    self.path = path
    let lock = try IndexLock(of: path)
    let file = rebuilds ? BytePath(path.bytes + Array("-rebuild".utf8)) : path
    workingPath = file
    if rebuilds {
      // It will be replaced: it must be one of ours.
      try Self.checkReplaceable(path)
      if (try? Self.isWhole(file, model: model)) != true { try Self.remove(file) }
    }
    let size = Self.size(of: file)
    isNew = size == nil || rebuilds
    if size == 0, Self.isBesideMap(path), lock.staleHolder == nil {
      throw IndexError(path: path, reason: .damaged("it is empty"))
    }
    try Self.checkKind(file)
    let database = try Database(file, .create)
    if size == nil || size == 0 { try database.execute("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL") }
    // Finished transactions survive a crash of the process in any case, and those up to the last checkpoint one of the
    // machine.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000")
    try IndexSchema.migrate(database)
    connection = database
    self.lock = lock
    staleLockHolder = lock.staleHolder
    try verifyIfSmall()
    if let model { try begin(with: model) }
  }

  /// Opens an index that is there, for reading.
  public init(reading path: BytePath) throws(IndexError) {
    self.path = path
    isNew = false
    staleLockHolder = nil
    workingPath = path
    guard let size = Self.size(of: path) else { throw IndexError(path: path, reason: .missing) }
    if size == 0 {
      // A run that was killed when it had just begun leaves its lock.
      let isBeginning = Self.size(of: IndexLock.path(of: path)) != nil || !Self.isBesideMap(path)
      throw IndexError(path: path, reason: isBeginning ? .missing : .damaged("it is empty"))
    }
    try Self.checkKind(path)
    connection = try Self.reader(path, leavesNoTrace: true)
    let version = Int(try database.number("PRAGMA user_version"))
    if version == 0, try database.number("SELECT count(*) FROM sqlite_master") == 0 {
      throw IndexError(path: path, reason: .missing)
    }
    guard try database.number("PRAGMA application_id") == IndexSchema.applicationID else {
      throw IndexError(path: path, reason: .foreign)
    }
    if version > IndexSchema.version { throw IndexError(path: path, reason: .newer(version: version)) }
    guard version == IndexSchema.version else {
      throw IndexError(path: path, reason: .inaccessible("it is of an earlier version; 'kiano-gpu index' converts it"))
    }
    try verifyIfSmall()
  }

  /// An empty index in memory, to compare a library with where there is none yet.
  public init() throws(IndexError) {
    path = ":memory:"
    workingPath = path
    isNew = true
    staleLockHolder = nil
    connection = try Database(path, .memory)
    try IndexSchema.migrate(database)
  }

  deinit { close() }

  /// Puts all into the one file, and gives the lock back. Nothing else may be asked of the index then.
  /// - Parameter keepsLock: whether nobody else may write to it until this is called again, or the object is gone.
  public func close(keepsLock: Bool = false) {
    if let connection, lock != nil { try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    statements.removeAll()
    connection = nil
    if !keepsLock { lock = nil }
  }

  /// Whether it knows of no picture.
  public var isEmpty: Bool {
    guard connection != nil else { return false }
    return (try? database.number("SELECT EXISTS (SELECT 1 FROM picture WHERE content IS NOT NULL)")) == 0
  }

  /// Removes an index that this run has made, and nothing came of.
  public func discard() {
    guard isNew, lock != nil else { return }
    statements.removeAll()
    connection = nil
    try? Self.remove(workingPath)
    lock = nil
  }

  /// Puts an index that was made anew in the place of the old one.
  public func replaceOld() throws(IndexError) {
    if workingPath == path { return }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    statements.removeAll()
    connection = nil
    for ending in ["-wal", "-shm"] {
      _ = BytePath(path.bytes + Array(ending.utf8)).withCString { unlink($0) }
    }
    let failure = workingPath.withCString { from in path.withCString { rename(from, $0) == 0 ? 0 : errno } }
    guard failure == 0 else { throw IndexError(path: path, reason: .inaccessible(SystemMessage.text(failure))) }
    for ending in ["-wal", "-shm"] {
      _ = BytePath(workingPath.bytes + Array(ending.utf8)).withCString { unlink($0) }
    }
    connection = try Database(path, .create)
  }

  /// A connection for reading, wherever the file lies.
  /// - Parameter leavesNoTrace: whether no file may be made beside it, which reading takes, unless some are there
  ///   already. For short readings only: it isn't noticed when somebody begins to write.
  static func reader(_ path: BytePath, leavesNoTrace: Bool = false) throws(IndexError) -> Database {
    if leavesNoTrace, size(of: BytePath(path.bytes + Array("-wal".utf8))) == nil,
      let database = try? Database(path, .read(immutable: true))
    {
      return database
    }
    do throws(IndexError) {
      let database = try Database(path, .read(immutable: false))
      _ = try database.number("SELECT count(*) FROM sqlite_master")
      return database
    } catch {
      // Reading takes files beside the index, which can't be made on a disk that can't be written to.
      guard case .inaccessible = error.reason else { throw error }
      let database = try Database(path, .read(immutable: true))
      _ = try database.number("SELECT count(*) FROM sqlite_master")
      return database
    }
  }

  // MARK: - For the other parts of this class

  var database: Database { connection! }

  /// A statement that is kept for the next time.
  func statement(_ sql: String) throws(IndexError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  func damaged(_ what: String) -> IndexError { IndexError(path: path, reason: .damaged(what)) }

  /// Writes all of `body` or nothing, and counts that something changed.
  func write<Result>(_ body: () throws(IndexError) -> Result) throws(IndexError) -> Result {
    try database.transaction { () throws(IndexError) in
      let result = try body()
      try set("generation", .number(try generation + 1))
      return result
    }
  }

  // MARK: - Settings

  /// Grows with everything that is written about the library.
  public var generation: Int64 {
    get throws(IndexError) { try number("generation") ?? 0 }
  }

  /// The name of what computed the vectors; nil where there are none yet.
  public var model: String? {
    get throws(IndexError) { try text("model") }
  }

  /// Checks that vectors of `model` can be compared with those of the index.
  /// - Throws: where these are of another.
  public func checkVectors(areOf model: String) throws(IndexError) {
    if let known = try self.model, known != model {
      throw IndexError(path: path, reason: .otherModel(known, wanted: model))
    }
  }

  func number(_ name: String) throws(IndexError) -> Int64? {
    let statement = try statement("SELECT value FROM setting WHERE name = ?")
    defer { statement.end() }
    try statement.start([.string(name)])
    return try statement.step() && !statement.isNull(0) ? statement.number(0) : nil
  }

  func text(_ name: String) throws(IndexError) -> String? {
    let statement = try statement("SELECT value FROM setting WHERE name = ?")
    defer { statement.end() }
    try statement.start([.string(name)])
    return try statement.step() ? statement.text(0) : nil
  }

  func set(_ name: String, _ value: Statement.Value) throws(IndexError) {
    try statement("INSERT OR REPLACE INTO setting VALUES (?, ?)").run(.string(name), value)
  }

  /// Takes vectors of `model` from now on.
  /// - Throws: where there are vectors of another.
  public func begin(with model: String) throws(IndexError) {
    try checkVectors(areOf: model)
    if try self.model == nil { try set("model", .string(model)) }
  }

  private func verifyIfSmall() throws(IndexError) {
    try checkLength()
    if (Self.size(of: workingPath) ?? 0) <= Self.verifiedBytes { try verify() }
  }

  /// A file that was cut off is shorter than it says.
  private func checkLength() throws(IndexError) {
    let log = BytePath(workingPath.bytes + Array("-wal".utf8))
    guard Self.size(of: log) ?? 0 == 0, let size = Self.size(of: workingPath) else { return }
    let expected = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
    if size < expected { throw damaged("a part of it is missing") }
  }

  // MARK: - The file

  private static func size(of path: BytePath) -> Int? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? Int(status.st_size) : nil
  }

  private static func isBesideMap(_ path: BytePath) -> Bool {
    let folder = BytePath(path.bytes.dropLast(path.lastComponent.count))
    return size(of: folder.appending("map.json")) != nil
  }

  /// Our own name for an index, under which nobody keeps anything else.
  private static func hasOurName(_ path: BytePath) -> Bool { path.lastComponent.elementsEqual("index.sqlite".utf8) }

  /// A file of something else must neither be written to nor removed.
  private static func checkKind(_ path: BytePath) throws(IndexError) {
    let head = FileHead.read(path, count: 100)
    if head.isEmpty, size(of: path) ?? 0 == 0 { return }
    guard head.count == 100, head.starts(with: "SQLite format 3\0".utf8) else {
      throw IndexError(path: path, reason: hasOurName(path) ? .damaged("it is no SQLite file") : .foreign)
    }
  }

  /// A file of something else mustn't be replaced.
  private static func checkReplaceable(_ path: BytePath) throws(IndexError) {
    let head = FileHead.read(path, count: 100)
    let isOurs = head.count == 100 && head[68..<72].elementsEqual(IndexSchema.applicationID.bigEndianBytes)
    guard isOurs || hasOurName(path) || size(of: path) ?? 0 == 0 else { throw IndexError(path: path, reason: .foreign) }
  }

  /// Whether an index is of this model and as it was written.
  private static func isWhole(_ path: BytePath, model: String?) throws(IndexError) -> Bool {
    let index = try LibraryIndex(reading: path)
    try index.verify()
    guard let model else { return true }
    return try index.model == model
  }

  private static func remove(_ path: BytePath) throws(IndexError) {
    for ending in ["", "-wal", "-shm"] {
      let file = BytePath(path.bytes + Array(ending.utf8))
      guard file.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw IndexError(path: path, reason: .inaccessible(SystemMessage.text(errno)))
      }
    }
  }
}

extension Int32 {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
