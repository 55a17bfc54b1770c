import Imaging

/// `failures.tsv`: a row for each file that is not on the map.
enum FailureTable {
  private static let header = """
    # path\treason; in both, \\t \\n \\r \\\\ stand for tab, line feed, carriage return and backslash; other bytes \
    are as they are in the file's name

    """

  static func write(_ failures: [MapFailure], to path: BytePath) throws(AtlasError) {
    let file = try FileWriter(path)
    try file.write(header)
    for failure in failures {
      try file.write(escaped(failure.path.bytes) + [0x09] + escaped(Array(failure.reason.utf8)) + [0x0A])
    }
    try file.finish()
  }

  /// Bytes that can't end a field or a row.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x09: Array(#"\t"#.utf8)
      case 0x0A: Array(#"\n"#.utf8)
      case 0x0D: Array(#"\r"#.utf8)
      case 0x5C: Array(#"\\"#.utf8)
      default: [byte]
      }
    }
  }
}
