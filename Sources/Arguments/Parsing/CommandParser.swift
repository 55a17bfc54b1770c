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

  private let tree: CommandTree

  /// A parser for a program.
  public init(_ root: any Command.Type) {
    tree = CommandTree(root)
  }

  /// Understands the arguments that follow the program's name.
  ///
  /// - Parameters:
  ///   - width: columns that help may take.
  ///   - isStyled: whether help may be written in bold.
  ///   - settings: what holds where the arguments say nothing. Only asked for by commands that have settings, so that
  ///     help can be had whatever is wrong with them.
  /// - Throws: `UsageError` with what is wrong and how to get help.
  public func parse(
    _ arguments: [[UInt8]], width: Int = 80, isStyled: Bool = false,
    settings: () throws(UsageError) -> Settings = { () throws(UsageError) in Settings() }
  ) throws(UsageError) -> Request {
    var rest = arguments[...]
    var node = tree.root
    while !node.children.isEmpty {
      let word = rest.popFirst().map(text)
      switch word {
      case nil, "-h": return .help(HelpText(node, isLong: false, width: width, isStyled: isStyled).description)
      case "--help": return .help(HelpText(node, isLong: true, width: width, isStyled: isStyled).description)
      case "--version" where node.path.count == 1: return .version
      case let word?:
        guard let child = node.children.first(where: { $0.configuration.name == word }) else {
          throw CommandTree.unknown(word, at: node)
        }
        node = child
      }
    }
    let (scratch, help) = try fill(node, rest, settings: Settings())
    if let help {
      return .help(HelpText(node, isLong: help == .long, width: width, isStyled: isStyled).description)
    }
    var command = scratch
    var given = Settings()
    if node.declarations.contains(where: { $0.setting != nil }) {
      given = try settings()
      command = try fill(node, rest, settings: given).command
    }
    do throws(UsageError) {
      try command.validate()
    } catch {
      throw UsageError(error.description + origins(of: node, in: given, saidIn: error.description) + hint(node))
    }
    return .run(command)
  }

  /// Where the values that an error speaks of were set, if they were.
  private func origins(of node: CommandTree.Node, in settings: Settings, saidIn message: String) -> String {
    node.declarations.compactMap { declaration -> String? in
      guard let entry = declaration.setting.flatMap({ settings[$0] }),
        declaration.names.contains(where: { message.contains($0.spelling) })
      else { return nil }
      return "\n\(entry.origin) sets \(entry.name) to \(printable(text(entry.value)))."
    }.joined()
  }

  // MARK: - One command

  private enum Help { case short, long }

  private func hint(_ node: CommandTree.Node) -> String { "\nSee '\(node.line) --help'." }

  /// A command with what the settings and the arguments give it; or the help that they ask for.
  private func fill(
    _ node: CommandTree.Node, _ arguments: ArraySlice<[UInt8]>, settings: Settings
  ) throws(UsageError) -> (command: any Command, help: Help?) {
    let command = node.type.init()
    let declarations = declared(in: command)
    for entry in settings.entries {
      for declared in declarations where declared.declaration.setting == entry.name {
        if !declared.take(entry.value) {
          throw Self.unfit(entry.value, for: declared.declaration, "\(entry.origin): \(entry.name)")
        }
      }
    }
    var positional: [[UInt8]] = []
    var words = ArgumentWords(arguments, declarations, hint: hint(node))
    while let word = try words.next() {
      switch word {
      case .help(let isLong): return (command, isLong ? .long : .short)
      case .positional(let value): positional.append(value)
      }
    }
    try assign(positional, to: declarations.filter(\.declaration.isArgument), hint(node))
    return (command, nil)
  }

  private func assign(_ values: [[UInt8]], to declarations: [any Declared], _ hint: String) throws(UsageError) {
    var rest = values[...]
    for declared in declarations {
      guard case .argument(let atLeast, let atMost) = declared.declaration.kind else { continue }
      let name = declared.declaration.valueName
      if rest.count < atLeast { throw UsageError("\(name) is missing: \(declared.declaration.help)" + hint) }
      for _ in 0..<min(rest.count, atMost) {
        let value = rest.removeFirst()
        if !declared.take(value) { throw Self.unfit(value, for: declared.declaration, name, hint) }
      }
    }
    if let extra = rest.first { throw UsageError("there is one argument too many: \(printable(text(extra)))" + hint) }
  }

  /// What is wrong with a value, and what would be right.
  static func unfit(
    _ value: [UInt8], for declaration: Declaration, _ name: String, _ hint: String = ""
  ) -> UsageError {
    let allowed = declaration.allowedValues
    let advice =
      allowed.isEmpty
      ? declaration.isArgument ? "" : "; it takes \(declaration.valueName)"
      : suggestion(for: text(value), among: allowed) + "; it is one of \(allowed.joined(separator: ", "))"
    return UsageError("\(name) can't be \"\(printable(text(value)))\"" + advice + hint)
  }
}

/// The bytes as text, with a replacement character for what isn't UTF-8: for comparing with names, and for messages.
func text(_ argument: [UInt8]) -> String {
  String(decoding: argument, as: UTF8.self)
}
