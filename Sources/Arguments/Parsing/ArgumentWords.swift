/// The arguments of one command, word by word: options are handed to their declarations, all others to the caller.
struct ArgumentWords {
  /// A word that is no option with a declaration of the command's own.
  enum Word {
    case help(isLong: Bool)
    case positional([UInt8])
  }

  private var rest: ArraySlice<[UInt8]>
  private let declarations: [any Declared]
  private let hint: String
  private var optionsEnded = false

  /// - Parameter hint: what every error ends with.
  init(_ arguments: ArraySlice<[UInt8]>, _ declarations: [any Declared], hint: String) {
    rest = arguments
    self.declarations = declarations
    self.hint = hint
  }

  /// The next word, or nil behind the last.
  /// - Throws: `UsageError` for an option that there isn't, or whose value is missing or none.
  mutating func next() throws(UsageError) -> Word? {
    while let argument = rest.popFirst() {
      if optionsEnded || argument.first != UInt8(ascii: "-") || argument.count == 1 { return .positional(argument) }
      switch text(argument) {
      case "--": optionsEnded = true
      case "-h": return .help(isLong: false)
      case "--help": return .help(isLong: true)
      default:
        if argument[1] == UInt8(ascii: "-") { try takeLong(argument) } else { try takeShort(argument) }
      }
    }
    return nil
  }

  private mutating func takeLong(_ argument: [UInt8]) throws(UsageError) {
    let parts = argument.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = text(Array(parts[0]))
    let declared = try find(spelling)
    switch declared.declaration.kind {
    case .flag where parts.count == 2:
      throw UsageError("\(spelling) takes no value" + hint)
    case .flag:
      _ = declared.take([])
    case .optionalValue(let alone):
      try take(parts.count == 2 ? Array(parts[1]) : alone, declared, spelling)
    case .option, .argument:
      guard let value = parts.count == 2 ? Array(parts[1]) : rest.popFirst() else {
        throw missingValue(declared, spelling)
      }
      try take(value, declared, spelling)
    }
  }

  /// Flags may share a dash, and a value may follow its letter directly: `-qv`, `-ofile`.
  private mutating func takeShort(_ argument: [UInt8]) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = text([UInt8(ascii: "-"), letter])
      let declared = try find(spelling)
      switch declared.declaration.kind {
      case .flag: _ = declared.take([])
      case .optionalValue(let alone): try take(alone, declared, spelling)
      case .option, .argument:
        guard let value = letters.isEmpty ? rest.popFirst() : Array(letters) else {
          throw missingValue(declared, spelling)
        }
        return try take(value, declared, spelling)
      }
    }
  }

  private func find(_ spelling: String) throws(UsageError) -> any Declared {
    if let match = declarations.first(where: { $0.declaration.names.contains { $0.spelling == spelling } }) {
      return match
    }
    let names = declarations.flatMap(\.declaration.names).map(\.spelling) + ["--help"]
    throw UsageError("there is no option \(printable(spelling))" + suggestion(for: spelling, among: names) + hint)
  }

  private func take(_ value: [UInt8], _ declared: any Declared, _ spelling: String) throws(UsageError) {
    if !declared.take(value) { throw CommandParser.unfit(value, for: declared.declaration, spelling, hint) }
  }

  private func missingValue(_ declared: any Declared, _ spelling: String) -> UsageError {
    UsageError("\(spelling) needs a value: \(spelling) \(declared.declaration.valueName)" + hint)
  }
}
