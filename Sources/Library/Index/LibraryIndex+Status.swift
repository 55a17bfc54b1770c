import Foundation
import Imaging

/// What is in an index.
public struct IndexStatus: Sendable, Equatable {
  /// Pictures that the last run found.
  public let pictureCount: Int
  /// Those of them of which only a part could be decoded.
  public let partialCount: Int
  /// Different contents that they have: pictures of equal bytes share one.
  public let contentCount: Int
  /// Files that couldn't be read.
  public let failedCount: Int
  /// Files of formats that this build can't read.
  public let unreadableFormatCount: Int
  /// Pictures whose files are gone.
  public let goneCount: Int
  /// Pictures that the last run wasn't about, or that its rules left out.
  public let leftOutCount: Int
  /// The folders of the last run.
  public let roots: [BytePath]
  /// What computed the vectors.
  public let model: String?
  /// The folders that maps were written to.
  public let maps: [BytePath]
  /// The size of all its files.
  public let byteCount: Int
  /// How often something was written.
  public let generation: Int64
  /// Files that were read, and the seconds that this took, in all runs; for estimates.
  public let readCount: Int
  /// See `readCount`.
  public let readSeconds: Double
}

extension LibraryIndex {
  /// What is in it.
  public func status() throws(IndexError) -> IndexStatus {
    func list(_ sql: String) throws(IndexError) -> [BytePath] {
      let rows = try database.prepare(sql)
      var paths: [BytePath] = []
      while try rows.step() { paths.append(BytePath(rows.bytes(0))) }
      return paths
    }
    // One pass over the pictures, whatever is counted.
    let counts = try database.prepare(
      """
      SELECT count(CASE WHEN state = 0 AND content IS NOT NULL THEN 1 END),
        count(CASE WHEN state = 0 AND content IS NULL AND reason IS NOT NULL THEN 1 END),
        count(CASE WHEN state = 0 AND content IS NULL AND reason IS NULL THEN 1 END),
        count(CASE WHEN state = 2 AND content IS NOT NULL THEN 1 END),
        count(CASE WHEN state = 1 AND content IS NOT NULL THEN 1 END)
      FROM picture
      """)
    _ = try counts.step()
    return IndexStatus(
      pictureCount: Int(counts.number(0)),
      partialCount: Int(
        try database.number(
          "SELECT count(*) FROM content JOIN picture ON content.id = picture.content WHERE damage IS NOT NULL AND state = 0"
        )),
      contentCount: Int(try database.number("SELECT count(*) FROM content")), failedCount: Int(counts.number(1)),
      unreadableFormatCount: Int(counts.number(2)), goneCount: Int(counts.number(3)),
      leftOutCount: Int(counts.number(4)), roots: try list("SELECT path FROM root ORDER BY path"), model: try model,
      maps: try list("SELECT path FROM map ORDER BY path"), byteCount: fileBytes, generation: try generation,
      readCount: Int(try number("read_count") ?? 0), readSeconds: Double(try number("read_milliseconds") ?? 0) / 1000)
  }

  /// Adds to what estimates are made from.
  public func addReading(count: Int, seconds: Double) throws(IndexError) {
    try set("read_count", .integer((try number("read_count") ?? 0) + Int64(count)))
    try set("read_milliseconds", .integer((try number("read_milliseconds") ?? 0) + Int64(seconds * 1000)))
  }

  private var fileBytes: Int {
    ["", "-wal"].reduce(0) { sum, ending in
      let file = BytePath(path.bytes + Array(ending.utf8))
      return sum + Int((try? FileStatus(of: file, followingLink: true))?.identity.size ?? 0)
    }
  }

  /// What pruning forgets.
  public struct Pruning: Sendable, Equatable {
    /// Pictures and files that couldn't be read.
    public let pictureCount: Int
    /// Contents that no picture has any more.
    public let contentCount: Int
    /// Bytes that this frees.
    public let byteCount: Int
  }

  /// Forgets pictures whose files are gone.
  /// - Parameters:
  ///   - includesLeftOut: also those that the last run wasn't about, or left out.
  ///   - dryRun: whether this is only counted.
  public func prune(includesLeftOut: Bool, dryRun: Bool) throws(IndexError) -> Pruning {
    let before = fileBytes
    let states = includesLeftOut ? "(1, 2)" : "(2)"
    let rows = try database.prepare("SELECT id, path, content, state FROM picture WHERE state IN \(states)")
    var doomed: [(id: Int64, content: Int64?)] = []
    while try rows.step() {
      let path = BytePath(rows.bytes(1))
      // What is there again the next run takes back.
      if rows.number(3) == PictureState.gone.rawValue, (try? FileStatus(of: path, followingLink: false)) != nil {
        continue
      }
      doomed.append((rows.number(0), rows.isNull(2) ? nil : rows.number(2)))
    }
    if dryRun {
      var bytes = 0
      var contents: Set<Int64> = []
      let ids = Set(doomed.map(\.id))
      for content in Set(doomed.compactMap(\.content)) {
        let users = try statement("SELECT id FROM picture WHERE content = ?")
        try users.start([.integer(content)])
        var isUsed = false
        while try users.step() { if !ids.contains(users.number(0)) { isUsed = true } }
        if !isUsed { contents.insert(content) }
      }
      for content in contents {
        let size = try statement("SELECT length(jpeg) + length(half) FROM thumbnail WHERE content = ?")
        try size.start([.integer(content)])
        if try size.step() { bytes += Int(size.number(0)) }
        size.end()
      }
      return Pruning(pictureCount: doomed.count, contentCount: contents.count, byteCount: bytes)
    }
    if doomed.isEmpty { return Pruning(pictureCount: 0, contentCount: 0, byteCount: 0) }
    let contentsBefore = try database.number("SELECT count(*) FROM content")
    try write { () throws(IndexError) in
      for picture in doomed {
        try statement("DELETE FROM picture WHERE id = ?").run(.integer(picture.id))
        if let content = picture.content { try forgetIfUnused(content) }
      }
    }
    try database.execute("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
    return Pruning(
      pictureCount: doomed.count,
      contentCount: Int(contentsBefore - (try database.number("SELECT count(*) FROM content"))),
      byteCount: max(0, before - fileBytes))
  }
}

extension LibraryIndex {
  /// The rules of the last run; the defaults where there was none.
  public var rules: ScanRules {
    get throws(IndexError) { try text("rules").flatMap(ScanRules.init(text:)) ?? ScanRules() }
  }

  /// Remembers the rules and limits of a run.
  public func remember(_ rules: ScanRules, _ conditions: FailureConditions) throws(IndexError) {
    let new = rules.text
    if try text("rules") != new { try set("rules", .string(new)) }
    if try number("limits") != conditions.limits { try set("limits", .integer(conditions.limits)) }
  }

  /// Conditions with the limits of the last run, where there was one.
  public func withLastLimits(_ conditions: FailureConditions) throws(IndexError) -> FailureConditions {
    FailureConditions(program: conditions.program, limits: try number("limits") ?? conditions.limits)
  }
}
