import Foundation

/// Prints JSON, keys sorted. A result is one document with the number of its schema; with `--json=lines` it is one line,
/// behind the lines of its parts.
enum JSONDocument {
  /// The version of what the documents hold.
  static let schema = 1

  /// Prints a result.
  static func print(_ value: some Encodable) throws {
    if Console.jsonForm == .lines { return printLine(value, type: "result") }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    Console.print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Prints a part of a result, where lines are asked for.
  static func printLine(_ value: some Encodable, type: String) {
    if Console.jsonForm == .lines { Console.print(line(value, type: type)) }
  }

  /// A value on one line, with a field `type`.
  static func line(_ value: some Encodable, type: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // What is encoded here are structures of texts and finite numbers, for which there always is a form.
    return String(decoding: try! encoder.encode(Line(type: type, value: value)), as: UTF8.self)
  }

  private struct Line<Value: Encodable>: Encodable {
    enum Key: CodingKey { case type }
    let type: String
    let value: Value

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(type, forKey: .type)
    }
  }
}
