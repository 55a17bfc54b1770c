/// Values that a settings file and the environment give to declarations that have a setting's name; what the command
/// line says comes after them and holds.
public struct Settings: Sendable {
  /// One value.
  public struct Entry: Sendable, Equatable {
    /// The setting.
    public let name: String
    /// What it is set to.
    public let value: [UInt8]
    /// Who says so, for people: a file and a line, or a variable.
    public let origin: String
  }

  /// Values in the order in which they hold, the last being the one that counts.
  public private(set) var entries: [Entry] = []

  /// No values.
  public init() {}

  /// Adds what a file says: a line `name = value` for each setting, `#` before comments.
  ///
  /// - Parameters:
  ///   - file: the file's name, for errors.
  ///   - home: what `~/` at the beginning of a value stands for.
  /// - Throws: `UsageError` with file and line where a line isn't understood.
  public mutating func add(file: String, contents: [UInt8], home: [UInt8]?) throws(UsageError) {
    for (number, line) in contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(line)
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let origin = "\(file):\(number + 1)"
      guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else {
        throw UsageError("\(origin): \"\(printable(text(line)))\" isn't of the form 'name = value'")
      }
      var value = Array(trimmed(line[(sign + 1)...]))
      if let home, value.starts(with: Array("~/".utf8)) { value = home + value.dropFirst() }
      entries.append(Entry(name: text(trimmed(line[..<sign])), value: value, origin: origin))
    }
  }

  /// Adds what the environment says: `PREFIX_NAME`, the name in upper case with underscores.
  ///
  /// - Returns: variables with the prefix that aren't settings but are written almost like one, with a suggestion.
  public mutating func add(
    environment: [(name: String, value: [UInt8])], prefix: String, known: [String]
  ) -> [String] {
    let names = Dictionary(known.map { (Self.variable($0, prefix: prefix), $0) }) { first, _ in first }
    var strange: [String] = []
    for (variable, value) in environment.sorted(by: { $0.name < $1.name }) where variable.hasPrefix(prefix + "_") {
      if let name = names[variable] {
        // As in other programs, an empty variable is like none.
        if !value.isEmpty { entries.append(Entry(name: name, value: value, origin: variable)) }
      } else {
        let hint = suggestion(for: variable, among: names.keys.sorted(), within: 2)
        if !hint.isEmpty { strange.append("\(printable(variable)) isn't a setting" + hint) }
      }
    }
    return strange
  }

  /// The variable of a setting: `KIANO_MAX_PIXELS` for `max-pixels`.
  static func variable(_ name: String, prefix: String) -> String {
    prefix + "_" + name.uppercased().replacing("-", with: "_")
  }

  /// What holds of a setting; nil where nobody sets it.
  public subscript(name: String) -> Entry? { entries.last { $0.name == name } }
}

private func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

/// Without spaces, tabs and carriage returns at both ends.
private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
  guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return [] }
  return bytes[first...last]
}
