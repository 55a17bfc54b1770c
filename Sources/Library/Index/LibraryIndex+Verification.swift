import Imaging

extension LibraryIndex {
  /// Reads the whole index and checks that it is as it was written.
  /// - Throws: what is damaged.
  public func verify() throws(IndexError) {
    let check = try database.prepare("PRAGMA integrity_check(1)")
    if try check.step(), let words = check.text(0), words != "ok" {
      throw damaged(words.split(separator: "\n").first { !$0.hasPrefix("***") }.map(String.init) ?? words)
    }
    check.end()
    let pictures = try database.prepare(
      """
      SELECT id, bytes, modified, device, inode, content, reason, conditions, state, checksum, path FROM picture
      """)
    while try pictures.step() {
      guard PictureRow(pictures).isIntact else { throw damaged("what it says of a picture has changed") }
    }
    let contents = try database.prepare(
      "SELECT hash, bytes, format, width, height, orientation, taken, damage, checksum FROM content")
    while try contents.step() {
      guard ContentRow(contents) != nil else { throw damaged("the size or date of a picture has changed") }
    }
    for (table, columns) in [
      ("vector", "bytes, checksum"), ("thumbnail", "half, half_checksum"), ("thumbnail", "jpeg, checksum"),
    ] {
      let rows = try database.prepare("SELECT \(columns) FROM \(table)")
      while try rows.step() {
        guard rows.withBytes(0, { Checksum.of($0) }) == rows.number(1) else {
          throw damaged("a \(table) has changed")
        }
      }
    }
    let unmatched = try database.number(
      """
      SELECT (SELECT count(*) FROM picture WHERE content IS NOT NULL AND content NOT IN (SELECT id FROM content))
        + (SELECT count(*) FROM content WHERE id NOT IN (SELECT content FROM vector))
        + (SELECT count(*) FROM content WHERE id NOT IN (SELECT content FROM thumbnail))
      """)
    if unmatched > 0 { throw damaged("parts of it are missing") }
  }
}
