/// A program's commands with all that they declare. Help, the man page, completions and the list of settings come from
/// this one value, so that none of them knows more than another.
public struct CommandTree {
  /// One command, and where it is.
  struct Node {
    let type: any Command.Type
    /// The program's name and the verbs that lead here.
    let path: [String]
    /// Options and arguments, in the order of the source, and those of every command behind them.
    let declarations: [Declaration]
    let children: [Node]

    var configuration: CommandConfiguration { type.configuration }
    var options: [Declaration] { declarations.filter { !$0.isArgument } }
    var arguments: [Declaration] { declarations.filter(\.isArgument) }
    /// The command line that leads here.
    var line: String { path.joined(separator: " ") }

    init(_ type: any Command.Type, below parents: [String]) {
      self.type = type
      path = parents + [type.configuration.name]
      let own = declared(in: type.init()).map(\.declaration)
      declarations = own + (parents.isEmpty ? [.version] : []) + [.help]
      let path = path
      children = type.configuration.subcommands.map { Node($0, below: path) }
    }

    /// This node and all below it, each before its children.
    var all: [Node] { [self] + children.flatMap(\.all) }
  }

  let root: Node

  /// The tree of a program.
  public init(_ root: any Command.Type) {
    self.root = Node(root, below: [])
  }

  /// Every command, the program first.
  var nodes: [Node] { root.all }

  /// A command by the verbs that lead to it.
  /// - Throws: `UsageError` with a suggestion.
  func node(at verbs: [String]) throws(UsageError) -> Node {
    var node = root
    for verb in verbs {
      guard let child = node.children.first(where: { $0.configuration.name == verb }) else {
        throw Self.unknown(verb, at: node)
      }
      node = child
    }
    return node
  }

  static func unknown(_ verb: String, at node: Node) -> UsageError {
    let isOption = verb.hasPrefix("-")
    let names =
      isOption ? node.options.flatMap(\.names).map(\.spelling) : node.children.map(\.configuration.name)
    return UsageError(
      "there is no \(isOption ? "option" : "command") \"\(printable(verb))\"" + suggestion(for: verb, among: names)
        + "\nSee '\(node.line) --help'.")
  }

  /// The help of the command that the verbs lead to.
  /// - Throws: `UsageError` where there is no such command.
  public func help(_ verbs: [String], isLong: Bool, width: Int, isStyled: Bool) throws(UsageError) -> String {
    HelpText(try node(at: verbs), isLong: isLong, width: width, isStyled: isStyled).description
  }
}
