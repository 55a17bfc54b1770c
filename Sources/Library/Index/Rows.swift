import Imaging

/// A row of `picture`, selected as id, bytes, modified, device, inode, content, reason, conditions, state, checksum, path.
struct PictureRow {
  let id: Int64
  let bytes: Int64
  let modified: Int64
  let content: Int64?
  let reason: String?
  let conditions: Int64
  let state: PictureState
  let isIntact: Bool

  init(_ row: Statement) {
    id = row.number(0)
    bytes = row.number(1)
    modified = row.number(2)
    content = row.isNull(5) ? nil : row.number(5)
    reason = row.text(6)
    conditions = row.number(7)
    state = PictureState(rawValue: row.number(8)) ?? .leftOut
    let facts = [bytes, modified, row.number(3), row.number(4), content ?? -1, conditions]
    let reason = reason
    isIntact = row.number(9) == row.withBytes(10) { Checksum.of(facts, $0, text: reason) }
  }
}

/// Checksums of rows, as SQLite stores them.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    Int64(bitPattern: ContentHash(of: bytes).low)
  }

  static func of(_ bytes: [UInt8]) -> Int64 { bytes.withUnsafeBytes { of($0) } }

  /// - Parameter text: further text; nil differs from an empty one.
  static func of(_ numbers: [Int64], _ bytes: UnsafeRawBufferPointer, text: String?) -> Int64 {
    let head = numbers.withUnsafeBytes { of($0) }
    let tail = text.map { of(Array($0.utf8)) } ?? 0
    return head ^ of(bytes) &* 3 ^ tail &* 5
  }
}

/// A row of `content`, selected as hash, bytes, format, width, height, orientation, taken, damage, checksum.
struct ContentRow {
  let hash: [UInt8]
  let bytes: Int64
  let format: String
  let width: Int
  let height: Int
  let orientation: Int
  let takenAt: String?
  let damage: String?
  let checksum: Int64

  init(hash: [UInt8], bytes: Int64, facts: ContentFacts) {
    self.hash = hash
    self.bytes = bytes
    format = facts.format.rawValue
    (width, height) = (facts.width, facts.height)
    orientation = facts.orientation.rawValue
    takenAt = facts.takenAt
    damage = facts.damage
    checksum = Self.checksum(hash, bytes, format, width, height, orientation, takenAt, damage)
  }

  /// - Parameter first: the column of the hash.
  /// - Returns: nil for a row that isn't as it was written.
  init?(_ row: Statement, first: Int32 = 0) {
    hash = row.bytes(first)
    bytes = row.number(first + 1)
    format = row.text(first + 2) ?? ""
    (width, height) = (Int(row.number(first + 3)), Int(row.number(first + 4)))
    orientation = Int(row.number(first + 5))
    takenAt = row.text(first + 6)
    damage = row.text(first + 7)
    checksum = row.number(first + 8)
    guard checksum == Self.checksum(hash, bytes, format, width, height, orientation, takenAt, damage) else {
      return nil
    }
  }

  private static func checksum(
    _ hash: [UInt8], _ bytes: Int64, _ format: String, _ width: Int, _ height: Int, _ orientation: Int,
    _ takenAt: String?, _ damage: String?
  ) -> Int64 {
    let text = "\(format)\n\(takenAt ?? "")\n\(damage ?? "")"
    return hash.withUnsafeBytes {
      Checksum.of([bytes, Int64(width), Int64(height), Int64(orientation)], $0, text: text)
    }
  }
}

extension ContentHash {
  /// 16 bytes, the most significant first.
  var bytes: [UInt8] {
    [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
  }
}
