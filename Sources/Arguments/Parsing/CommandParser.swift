/// Understands a command line.
public struct CommandParser {
  /// What a command line asks for.
  public enum Request {
    /// To run a command that is filled and valid.
    case run(any Command)
    /// To print help.
    case help(String)
    /// To print the version.
    case version
  }

  private let root: any Command.Type

  /// A parser for a program.
  public init(_ root: any Command.Type) {
    self.root = root
  }

  /// Understands the arguments that follow the program's name.
  /// - Throws: `UsageError` with what is wrong and how to get help.
  public func parse(_ arguments: [[UInt8]], width: Int = 80) throws(UsageError) -> Request {
    var rest = arguments[...]
    var path = [root.configuration.name]
    var type = root
    while !type.configuration.subcommands.isEmpty {
      guard let word = rest.popFirst().map(text) else {
        return .help(HelpText(type, path: path, isLong: false, width: width).description)
      }
      switch word {
      case "-h": return .help(HelpText(type, path: path, isLong: false, width: width).description)
      case "--help": return .help(HelpText(type, path: path, isLong: true, width: width).description)
      case "--version": return .version
      case "help":
        guard let verb = rest.popFirst().map(text) else {
          return .help(HelpText(type, path: path, isLong: true, width: width).description)
        }
        var subcommand = try find(verb, in: type, path: path)
        path.append(verb)
        while let next = rest.popFirst().map(text) {
          subcommand = try find(next, in: subcommand, path: path)
          path.append(next)
        }
        return .help(HelpText(subcommand, path: path, isLong: true, width: width).description)
      default:
        type = try find(word, in: type, path: path)
        path.append(word)
      }
    }
    return try parse(rest, as: type, path: path, width: width)
  }

  private func find(_ verb: String, in type: any Command.Type, path: [String]) throws(UsageError) -> any Command.Type {
    let subcommands = type.configuration.subcommands
    for subcommand in subcommands where subcommand.configuration.name == verb { return subcommand }
    let program = path.joined(separator: " ")
    let kind = verb.hasPrefix("-") ? "option" : "command"
    let verbs = subcommands.map { $0.configuration.name } + ["help"]
    let names = verb.hasPrefix("-") ? ["--help", "--version"] : verbs
    throw UsageError(
      "there is no \(kind) \"\(printable(verb))\"" + suggestion(for: verb, among: names)
        + "\nSee '\(program) --help'.")
  }

  // MARK: - One command

  private func parse(
    _ arguments: ArraySlice<[UInt8]>, as type: any Command.Type, path: [String], width: Int
  ) throws(UsageError) -> Request {
    let command = type.init()
    let declarations = declared(in: command)
    let hint = "\nSee '\(path.joined(separator: " ")) --help'."
    var positional: [[UInt8]] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        positional += rest
        break
      }
      guard argument.first == UInt8(ascii: "-"), argument.count > 1 else {
        positional.append(argument)
        continue
      }
      switch text(argument) {
      case "-h": return .help(HelpText(type, path: path, isLong: false, width: width).description)
      case "--help": return .help(HelpText(type, path: path, isLong: true, width: width).description)
      default: break
      }
      if argument[1] == UInt8(ascii: "-") {
        try takeLong(argument, &rest, declarations, hint)
      } else {
        try takeShort(argument, &rest, declarations, hint)
      }
    }
    try assign(positional, to: declarations.filter(\.declaration.isArgument), hint)
    do throws(UsageError) {
      try command.validate()
    } catch {
      throw UsageError(error.description + hint)
    }
    return .run(command)
  }

  private func takeLong(
    _ argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>, _ declarations: [any Declared], _ hint: String
  ) throws(UsageError) {
    let parts = argument.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = text(Array(parts[0]))
    let declared = try find(spelling, declarations, hint)
    switch declared.declaration.kind {
    case .flag where parts.count == 2:
      throw UsageError("\(spelling) takes no value" + hint)
    case .flag:
      _ = declared.take([])
    default:
      guard let value = parts.count == 2 ? Array(parts[1]) : rest.popFirst() else {
        throw missingValue(declared, spelling, hint)
      }
      try take(value, declared, spelling, hint)
    }
  }

  /// Flags may share a dash, and a value may follow its letter directly: `-qv`, `-ofile`.
  private func takeShort(
    _ argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>, _ declarations: [any Declared], _ hint: String
  ) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = text([UInt8(ascii: "-"), letter])
      let declared = try find(spelling, declarations, hint)
      if case .flag = declared.declaration.kind {
        _ = declared.take([])
        continue
      }
      guard let value = letters.isEmpty ? rest.popFirst() : Array(letters) else {
        throw missingValue(declared, spelling, hint)
      }
      return try take(value, declared, spelling, hint)
    }
  }

  private func find(
    _ spelling: String, _ declarations: [any Declared], _ hint: String
  ) throws(UsageError) -> any Declared {
    if let match = declarations.first(where: { $0.declaration.names.contains { $0.spelling == spelling } }) {
      return match
    }
    let names = declarations.flatMap(\.declaration.names).map(\.spelling) + ["--help"]
    throw UsageError(
      "there is no option \(printable(spelling))" + suggestion(for: spelling, among: names) + hint)
  }

  private func take(
    _ value: [UInt8], _ declared: any Declared, _ spelling: String, _ hint: String
  ) throws(UsageError) {
    if declared.take(value) { return }
    let allowed = declared.declaration.allowedValues
    throw UsageError(
      "\(spelling) can't be \"\(printable(text(value)))\""
        + (allowed.isEmpty
          ? "; it takes \(declared.declaration.valueName)"
          : suggestion(for: text(value), among: allowed) + "; it is one of \(allowed.joined(separator: ", "))") + hint)
  }

  private func missingValue(_ declared: any Declared, _ spelling: String, _ hint: String) -> UsageError {
    UsageError("\(spelling) needs a value: \(spelling) \(declared.declaration.valueName)" + hint)
  }

  private func assign(_ values: [[UInt8]], to declarations: [any Declared], _ hint: String) throws(UsageError) {
    var rest = values[...]
    for declared in declarations {
      guard case .argument(let atLeast, let atMost) = declared.declaration.kind else { continue }
      let name = declared.declaration.valueName
      if rest.count < atLeast { throw UsageError("\(name) is missing: \(declared.declaration.help)" + hint) }
      for _ in 0..<min(rest.count, atMost) {
        let value = rest.removeFirst()
        if !declared.take(value) { throw UsageError("\(name) can't be \"\(printable(text(value)))\"" + hint) }
      }
    }
    if let extra = rest.first { throw UsageError("there is one argument too many: \(printable(text(extra)))" + hint) }
  }
}

/// The bytes as text, with a replacement character for what isn't UTF-8: for comparing with names, and for messages.
private func text(_ argument: [UInt8]) -> String {
  String(decoding: argument, as: UTF8.self)
}

/// Text that can't steer a terminal.
private func printable(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control
      ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
  }.joined()
}
