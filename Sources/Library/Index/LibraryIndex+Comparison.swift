import Foundation
import Imaging

extension LibraryIndex {
  /// Under which conditions a file that couldn't be read is tried again, though it hasn't changed.
  public struct FailureConditions: Sendable {
    /// Stands for the program and its codecs: all that most failures depend on.
    public let program: Int64
    /// Stands for the limits of decoding too, for files that went beyond one.
    public let limits: Int64

    /// Conditions of the same program with limits that were remembered.
    init(program: Int64, limits: Int64) {
      self.program = program
      self.limits = limits
    }

    /// Conditions from two descriptions.
    public init(program: String, limits: String) {
      self.program = Self.number(program)
      self.limits = Self.number(program + "\n" + limits)
    }

    private static func number(_ text: String) -> Int64 {
      Int64(bitPattern: Array(text.utf8).withUnsafeBytes { ContentHash(of: $0).low })
    }
  }

  /// Compares what a scan finds with what is known. Nothing is written to the index.
  ///
  /// - Parameters:
  ///   - roots: what is scanned: what was found there before and isn't now, is gone.
  ///   - missing: those of them that aren't there at all.
  ///   - scan: calls its argument with each file, in a stable order.
  public func compare(
    roots: [BytePath], missing: Set<BytePath> = [], conditions: FailureConditions,
    scan: (_ found: (ScannedFile) -> Void) throws -> ScanSummary
  ) throws -> LibraryChanges {
    try database.execute(
      """
      DROP TABLE IF EXISTS temp.pending;
      CREATE TEMP TABLE pending(
        number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, modified INTEGER NOT NULL,
        device INTEGER NOT NULL, inode INTEGER NOT NULL, kind INTEGER NOT NULL, source INTEGER);
      BEGIN
      """)
    defer { try? database.execute("COMMIT") }
    var comparison = try Comparison(self, conditions)
    var failure: (any Error)?
    let summary = try scan { file in
      if failure != nil { return }
      do { try comparison.add(file) } catch { failure = error }
    }
    if let failure { throw failure }
    comparison.changes.scan = summary.adding(comparison.repeatedCount, of: .repeated)
    comparison.changes.roots = roots.map { root in
      (root, (try? FileStatus(of: root, followingLink: true)).map { Int64(bitPattern: $0.identity.device) } ?? -1)
    }
    try comparison.findMissing(roots, missing: missing)
    return comparison.changes
  }
}

/// A comparison in progress.
private struct Comparison {
  var changes = LibraryChanges()
  var repeatedCount = 0
  private let index: LibraryIndex
  private let conditions: LibraryIndex.FailureConditions
  private let byPath: Statement
  private let byFile: Statement
  private let insert: Statement
  /// Pictures of the index that were found.
  private var isSeen: [Bool]
  /// Whose file was found under another name.
  private var sources: [Int64] = []

  init(_ index: LibraryIndex, _ conditions: LibraryIndex.FailureConditions) throws(IndexError) {
    self.index = index
    self.conditions = conditions
    byPath = try index.statement(
      """
      SELECT id, bytes, modified, device, inode, content, reason, conditions, state, checksum, path FROM picture
      WHERE path = ?
      """)
    byFile = try index.statement(
      """
      SELECT id FROM picture
      WHERE inode = ? AND device = ? AND bytes = ? AND modified = ? AND content IS NOT NULL ORDER BY state, id LIMIT 1
      """)
    insert = try index.statement("INSERT OR IGNORE INTO temp.pending VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    isSeen = Array(repeating: false, count: Int(try index.database.number("SELECT max(id) FROM picture")) + 1)
  }

  mutating func add(_ file: ScannedFile) throws(IndexError) {
    try byPath.start([.path(file.path)])
    guard try byPath.step() else { return try addUnknown(file) }
    let row = PictureRow(byPath)
    byPath.end()
    guard row.isIntact else { throw index.damaged("what it says of \(file.path.displayName) has changed") }
    if isSeen[Int(row.id)] { return repeatedCount += 1 }
    isSeen[Int(row.id)] = true
    if row.bytes != file.identity.size || row.modified != file.identity.modifiedNanoseconds {
      changes.modifiedCount += 1
      try append(file, .modified, source: row.id)
    } else if row.content == nil, row.conditions != conditions.program, row.conditions != conditions.limits {
      changes.retriedCount += 1
      try append(file, .modified, source: row.id)
    } else {
      keep(row, file)
    }
  }

  private mutating func keep(_ row: PictureRow, _ file: ScannedFile) {
    if row.state != .present {
      changes.newStates.append((row.id, .present))
      changes.returnedCount += 1
    }
    if row.content != nil {
      changes.unchangedCount += 1
      changes.order.append(row.id)
    } else if let reason = row.reason {
      changes.knownFailures.append((file.path, reason))
    } else {
      changes.unreadableFormatCount += 1
    }
  }

  private mutating func addUnknown(_ file: ScannedFile) throws(IndexError) {
    let identity = file.identity
    if identity.inode != 0 {
      try byFile.start([
        .number(identity.inode), .number(identity.device), .number(identity.size),
        .number(identity.modifiedNanoseconds),
      ])
      if try byFile.step() {
        let source = byFile.number(0)
        byFile.end()
        if try append(file, .sameFile, source: source) { sources.append(source) }
        return
      }
    }
    if try append(file, .new, source: nil) { changes.newCount += 1 }
  }

  @discardableResult
  private mutating func append(_ file: ScannedFile, _ kind: PendingKind, source: Int64?) throws(IndexError) -> Bool {
    let number = Int64(changes.resolved.count + 1)
    try insert.run(
      .integer(number), .path(file.path), .number(file.identity.size), .number(file.identity.modifiedNanoseconds),
      .number(file.identity.device), .number(file.identity.inode), .integer(kind.rawValue), .number(source))
    guard index.database.changeCount == 1 else {
      repeatedCount += 1
      return false
    }
    changes.resolved.append(0)
    changes.order.append(-number)
    if kind != .sameFile { changes.bytesToRead += file.identity.size }
    return true
  }

  // MARK: - What wasn't found

  /// Pictures below a root on a file system that isn't the root's: a disk that is mounted there.
  private struct Mount: Hashable {
    let root: Int
    let device: Int64
  }

  /// What is known of a root, or of a disk in it.
  private struct RootCount {
    var known = 0
    var gone = 0
    var found = 0
  }

  mutating func findMissing(_ roots: [BytePath], missing: Set<BytePath>) throws(IndexError) {
    guard try isAnyMissing() else { return }
    var counts = roots.map { _ in RootCount() }
    var mounts: [Mount: RootCount] = [:]
    var gone: [Int64: Mount] = [:]
    var isSource = Set(sources)
    let rows = try index.statement("SELECT id, path, content IS NULL, device FROM picture WHERE state = 0")
    try rows.start([])
    while try rows.step() {
      let id = rows.number(0)
      let path = BytePath(rows.bytes(1))
      let isPicture = rows.number(2) == 0
      guard let root = roots.firstIndex(where: { $0.isOrHolds(path) }) else {
        if isSeen[Int(id)] { continue }
        // Of other folders only what has been moved from there is looked for.
        if isSource.contains(id), path.isGone {
          isSource.remove(id)
          changes.newStates.append((id, .gone))
          changes.movedCount += 1
        } else {
          changes.newStates.append((id, .leftOut))
          if isPicture { changes.elsewhereCount += 1 }
        }
        continue
      }
      let mount = Mount(root: root, device: rows.number(3))
      if isPicture {
        counts[root].known += 1
        mounts[mount, default: RootCount()].known += 1
      }
      if isSeen[Int(id)] {
        if isPicture {
          counts[root].found += 1
          mounts[mount, default: RootCount()].found += 1
        }
      } else if path.isGone {
        changes.newStates.append((id, .gone))
        if isPicture {
          counts[root].gone += 1
          mounts[mount, default: RootCount()].gone += 1
          gone[id] = mount
        }
      } else {
        // Still there, or nobody knows: a folder that can't be looked into isn't gone.
        changes.newStates.append((id, .leftOut))
        if isPicture { changes.leftOutCount += 1 }
      }
    }
    // What was only renamed isn't gone.
    for source in sources {
      if let mount = gone.removeValue(forKey: source) {
        changes.movedCount += 1
        counts[mount.root].gone -= 1
        mounts[mount]?.gone -= 1
      } else if isSource.contains(source) {
        try take(source)
      }
    }
    changes.goneCount = gone.count
    for (root, count) in zip(changes.roots, counts) where count.gone > 0 {
      let kind: LibraryChanges.Loss.Kind? =
        if missing.contains(root.path) {
          .missingRoot
        } else if count.found == 0, count.gone == count.known {
          .emptyRoot
        } else if try hasOtherDevice(root.path, root.device) {
          .otherDevice
        } else if count.gone * 2 > count.known {
          .mostGone
        } else {
          nil
        }
      if let kind {
        changes.losses.append(.init(root: root.path, kind: kind, goneCount: count.gone, knownCount: count.known))
      }
    }
    let lost = Set(changes.losses.map(\.root))
    for (mount, count) in mounts.sorted(by: { ($0.key.root, $0.key.device) < ($1.key.root, $1.key.device) }) {
      let root = changes.roots[mount.root]
      guard root.device != mount.device, count.gone > 0, count.found == 0, !lost.contains(root.path) else { continue }
      changes.losses.append(
        .init(root: root.path, kind: .missingMount, goneCount: count.gone, knownCount: count.known))
    }
  }

  /// A file that was found under a new name, and that the index knows under another one: moved from there, or there too.
  private mutating func take(_ source: Int64) throws(IndexError) {
    let row = try index.statement("SELECT path, state FROM picture WHERE id = ?")
    defer { row.end() }
    try row.start([.integer(source)])
    guard try row.step() else { return }
    let isPresent = row.number(1) == PictureState.present.rawValue
    if !isPresent, BytePath(row.bytes(0)).isGone {
      changes.newStates.append((source, .gone))
      changes.movedCount += 1
    } else {
      changes.linkedCount += 1
    }
  }

  /// Whether a picture of the last run wasn't found: in most runs none.
  private func isAnyMissing() throws(IndexError) -> Bool {
    if !sources.isEmpty { return true }
    let rows = try index.statement("SELECT id FROM picture WHERE state = 0")
    defer { rows.end() }
    try rows.start([])
    while try rows.step() { if !isSeen[Int(rows.number(0))] { return true } }
    return false
  }

  private func hasOtherDevice(_ root: BytePath, _ device: Int64) throws(IndexError) -> Bool {
    let known = try index.statement("SELECT device FROM root WHERE path = ?")
    defer { known.end() }
    try known.start([.path(root)])
    return try known.step() && known.number(0) != device
  }
}

extension BytePath {
  /// Whether nothing is at this path; a folder that can't be looked into tells nothing.
  fileprivate var isGone: Bool {
    do {
      _ = try FileStatus(of: self, followingLink: false)
      return false
    } catch {
      return error.number == ENOENT || error.number == ENOTDIR
    }
  }

  /// Whether `other` is this or below it.
  fileprivate func isOrHolds(_ other: BytePath) -> Bool {
    guard other.bytes.starts(with: bytes) else { return false }
    return other.bytes.count == bytes.count || bytes.last == UInt8(ascii: "/")
      || other.bytes[bytes.count] == UInt8(ascii: "/")
  }
}
