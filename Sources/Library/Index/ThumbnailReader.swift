import Imaging
import Synchronization

/// Reads thumbnails from an index, on several threads at once.
public final class ThumbnailReader: Sendable {
  private let path: BytePath
  private let idle = Mutex<[Connection]>([])

  /// A reader; nothing is opened before the first thumbnail is asked for.
  public init(of path: BytePath) {
    self.path = path
  }

  /// The thumbnail of a content: a JPEG file.
  public func thumbnail(_ content: Int64) throws(IndexError) -> [UInt8] {
    try read { (connection) throws(IndexError) in try connection.read(connection.full, content) }
  }

  /// The thumbnail of a content at half the size: a JPEG file.
  public func half(_ content: Int64) throws(IndexError) -> [UInt8] {
    try read { (connection) throws(IndexError) in try connection.read(connection.half, content) }
  }

  private func read(_ body: (Connection) throws(IndexError) -> [UInt8]) throws(IndexError) -> [UInt8] {
    var connection = idle.withLock { $0.popLast() }
    if connection == nil { connection = try Connection(path) }
    guard let connection else { fatalError("a connection that couldn't be opened throws") }
    defer { idle.withLock { $0.append(connection) } }
    return try body(connection)
  }

  /// Closes the file.
  public func close() {
    idle.withLock { $0.removeAll() }
  }

  /// A connection is used by whoever has taken it out of the list, which makes it safe to hand from thread to thread.
  private final class Connection: @unchecked Sendable {
    let full: Statement
    let half: Statement
    private let path: BytePath

    init(_ path: BytePath) throws(IndexError) {
      self.path = path
      let database = try LibraryIndex.reader(path)
      full = try database.prepare("SELECT jpeg, checksum FROM thumbnail WHERE content = ?")
      half = try database.prepare("SELECT half, half_checksum FROM thumbnail WHERE content = ?")
    }

    func read(_ statement: Statement, _ content: Int64) throws(IndexError) -> [UInt8] {
      defer { statement.end() }
      try statement.start([.integer(content)])
      guard try statement.step() else { throw damaged("a thumbnail is missing") }
      let jpeg = statement.bytes(0)
      guard Checksum.of(jpeg) == statement.number(1) else { throw damaged("a thumbnail has changed") }
      return jpeg
    }

    private func damaged(_ what: String) -> IndexError { IndexError(path: path, reason: .damaged(what)) }
  }
}
