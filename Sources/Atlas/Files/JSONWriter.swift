import Foundation
import Imaging

/// Writes a JSON document value by value, so that it may be larger than memory (RFC 8259).
///
/// Arrays and objects whose members deserve a line each are begun with `lines: true`.
struct JSONWriter {
  private let file: FileWriter
  private var buffer: [UInt8] = []
  /// The open arrays and objects.
  private var open: [Scope] = []
  private var followsKey = false

  private struct Scope {
    let closing: UInt8
    let hasLines: Bool
    var isEmpty = true
  }

  /// A document in this file, from where its writer stands.
  init(_ file: FileWriter) {
    self.file = file
  }

  mutating func beginObject(lines: Bool = false) throws(AtlasError) {
    try begin("{", "}", lines)
  }

  mutating func beginArray(lines: Bool = false) throws(AtlasError) {
    try begin("[", "]", lines)
  }

  /// Ends the innermost array or object; the outermost hands everything to the file.
  mutating func end() throws(AtlasError) {
    let scope = open.removeLast()
    if scope.hasLines, !scope.isEmpty { newLine() }
    buffer.append(scope.closing)
    if open.isEmpty { try flush() }
  }

  /// The name of the value that comes next.
  mutating func key(_ name: String) throws(AtlasError) {
    try separate()
    appendQuoted(name)
    buffer.append(UInt8(ascii: ":"))
    if open.last?.hasLines == true { buffer.append(UInt8(ascii: " ")) }
    followsKey = true
  }

  mutating func value(_ text: String) throws(AtlasError) {
    try separate()
    appendQuoted(text)
  }

  /// The members `path` and, for one that isn't UTF-8, `path_base64`.
  mutating func members(of path: BytePath) throws(AtlasError) {
    try key("path")
    try value(String(decoding: path.bytes, as: UTF8.self))
    if !path.isUTF8 {
      try key("path_base64")
      try value(path.base64)
    }
  }

  /// - Parameter startsLine: whether the number begins a line of its own, where the array's members don't.
  mutating func value(_ number: Int, startsLine: Bool = false) throws(AtlasError) {
    try separate()
    if startsLine { newLine() }
    buffer.append(contentsOf: String(number).utf8)
  }

  /// A number; null where JSON has none for it.
  mutating func value(_ number: Double) throws(AtlasError) {
    try separate()
    buffer.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
  }

  mutating func value(_ truth: Bool) throws(AtlasError) {
    try separate()
    buffer.append(contentsOf: (truth ? "true" : "false").utf8)
  }

  mutating func null() throws(AtlasError) {
    try separate()
    buffer.append(contentsOf: "null".utf8)
  }

  // MARK: - Parts

  private mutating func begin(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ lines: Bool) throws(AtlasError) {
    try separate()
    buffer.append(UInt8(ascii: opening))
    open.append(Scope(closing: UInt8(ascii: closing), hasLines: lines))
  }

  /// What stands between the last value and the next.
  private mutating func separate() throws(AtlasError) {
    if buffer.count > 1 << 16 { try flush() }
    if followsKey {
      followsKey = false
      return
    }
    guard let scope = open.last else { return }
    if !scope.isEmpty { buffer.append(UInt8(ascii: ",")) }
    open[open.count - 1].isEmpty = false
    if scope.hasLines { newLine() }
  }

  private mutating func newLine() {
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(contentsOf: repeatElement(UInt8(ascii: " "), count: open.count { $0.hasLines } * 2))
  }

  private mutating func appendQuoted(_ text: String) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        buffer.append(contentsOf: "\\u00".utf8)
        buffer.append(digits[Int(byte >> 4)])
        buffer.append(digits[Int(byte & 15)])
      default:
        buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func flush() throws(AtlasError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
