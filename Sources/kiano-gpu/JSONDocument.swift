import Foundation

/// Prints one JSON document: keys sorted, with the number of its schema.
enum JSONDocument {
  /// The version of what the documents hold.
  static let schema = 1

  static func print(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    Console.print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
