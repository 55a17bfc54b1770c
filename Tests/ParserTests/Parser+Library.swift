import Foundation
import Imaging

@testable import Library

extension Parser {
  static let library: [Parser] = [
    Parser(
      name: "ignore-patterns",
      samples: ["*.png\n!keep.png\n/a/**/b\n**/x/\n", "[!a-z]\\*?\r\n# x\n", "a[]-z\\]]*b**c"].map { Array($0.utf8) }
    ) { bytes in
      let path = bytes.prefix(40)
      for pattern in IgnoreFile.patterns(in: bytes) {
        _ = pattern.matches(path: path, name: path.suffix(7), isFolder: bytes.count % 2 == 0)
      }
    },
    Parser(
      name: "file-list",
      samples: ["/a/b.jpg\n\n../c d.png\nlast", "/a\0b\nc\0\0/d\0", "x\r\ny"].map { Array($0.utf8) }
    ) { bytes in
      for separator in [PathList.Separator.newline, .zero] {
        // A pipe takes that much at once.
        guard bytes.count <= 1 << 15, let list = pipe(bytes, separator) else { return }
        var paths: [BytePath] = []
        while let path = try? list.next() { paths.append(path) }
        let expected = bytes.split(separator: separator.rawValue).map { BytePath($0) }
        precondition(paths == expected, "each entry once")
      }
    },
  ]

  private static func pipe(_ bytes: [UInt8], _ separator: PathList.Separator) -> PathList? {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return nil }
    _ = write(ends[1], bytes, bytes.count)
    close(ends[1])
    return PathList(descriptor: ends[0], called: "list", separator: separator)
  }
}
