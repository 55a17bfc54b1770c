/// Completions for zsh: a function for each command, which hands what its declarations say to `_arguments`.
struct ZshCompletion {
  let tree: CommandTree

  var script: String {
    let program = tree.root.path[0]
    let name = "_" + tree.root.functionName
    return """
      #compdef \(program)
      # Completions of \(program) for zsh, made by '\(program) completion zsh'.

      \(tree.nodes.map(function).joined(separator: "\n\n"))

      # Loaded from a file of fpath, which is named after the program, this is the body of the function of that name.
      if [[ ${funcstack[1]} == _\(program) ]]; then
        \(name) "$@"
      else
        compdef \(name) \(program)
      fi

      """
  }

  private func function(_ node: CommandTree.Node) -> String {
    let options = node.options.flatMap(specifications)
    if node.children.isEmpty {
      let lines = options + node.arguments.map(argument)
      return """
        _\(node.functionName)() {
          _arguments -s -S \(lines.joined(separator: " \\\n    "))
        }
        """
    }
    let verbs = node.children.map { "\(escaped($0.configuration.name)):\($0.configuration.abstract)".quotedForShell }
    let branches = node.children.map { "      \($0.configuration.name)) _\($0.functionName) ;;" }
    let lines = options + ["'1: :->command'", "'*:: :->rest'"]
    return """
      _\(node.functionName)() {
        local state line curcontext=$curcontext
        local -a commands
        commands=(
          \(verbs.joined(separator: "\n    "))
        )
        _arguments -C \(lines.joined(separator: " \\\n    "))
        case $state in
          command) _describe command commands ;;
          rest) case $line[1] in
      \(branches.joined(separator: "\n"))
          esac ;;
        esac
      }
      """
  }

  /// One for each name; names exclude each other, except where an option may be given again.
  private func specifications(_ declaration: Declaration) -> [String] {
    let help = "[\(escaped(declaration.summary))]"
    let value = "\(escaped(declaration.valueName)):\(action(declaration))"
    return declaration.names.map { name in
      let isLong = name.spelling.hasPrefix("--")
      let written =
        switch declaration.kind {
        case .optionalValue: name.spelling + "=-" + help + "::" + value
        case .option: name.spelling + (isLong ? "=" : "+") + help + ":" + value
        case .flag, .argument: name.spelling + help
        }
      return ("*" + written).quotedForShell
    }
  }

  private func argument(_ declaration: Declaration) -> String {
    var prefix = ":"
    if case .argument(_, let atMost) = declaration.kind, atMost > 1 { prefix = "*:" }
    return "\(prefix)\(escaped(declaration.valueName)):\(action(declaration))".quotedForShell
  }

  private func action(_ declaration: Declaration) -> String {
    if declaration.takesPaths { return "_files" }
    return declaration.allowedValues.isEmpty ? " " : "(\(declaration.allowedValues.joined(separator: " ")))"
  }

  /// Without what `_arguments` would read as its own signs.
  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }
}
