/// Completions for bash: one function that finds the verb, and then offers what its declarations say.
struct BashCompletion {
  let tree: CommandTree

  var script: String {
    let program = tree.root.path[0]
    let name = "_" + tree.root.functionName
    let paths = tree.nodes.dropFirst().map { "\"\($0.line)\"" }.joined(separator: " | ")
    return """
      # Completions of \(program) for bash, made by '\(program) completion bash'.

      \(name)_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }

      \(name)_files() {
        compopt -o filenames 2>/dev/null
        local IFS=$'\\n'
        COMPREPLY=($(compgen -f -- "$current"))
      }

      \(name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} equals= path=\(program) i
        COMPREPLY=()
        # Bash takes --option=value apart.
        if [[ $current == "=" ]]; then
          current= equals=1
        elif [[ $previous == "=" ]]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]} equals=1
        fi
        for ((i = 1; i < COMP_CWORD; i++)); do
          case "$path ${COMP_WORDS[i]}" in
            \(paths)) path+=" ${COMP_WORDS[i]}" ;;
          esac
        done
        case $path in
      \(tree.nodes.map(branch).joined(separator: "\n"))
        esac
      }

      complete -F \(name) \(program)

      """
  }

  private func branch(_ node: CommandTree.Node) -> String {
    let options = node.options.flatMap(\.names).map(\.spelling).joined(separator: " ")
    let values = node.options.compactMap(valueBranch).map { "        " + $0 }
    let other = node.children.isEmpty ? offer(node.arguments.last) : words(node.children.map(\.configuration.name))
    return """
          "\(node.line)")
            case $previous in
      \((values + ["        *) [[ -z $equals ]] || return 0 ;;"]).joined(separator: "\n"))
            esac
            if [[ $current == -* ]]; then
              \(words([options]))
            else
              \(other)
            fi ;;
      """
  }

  /// What may follow an option.
  private func valueBranch(_ declaration: Declaration) -> String? {
    let pattern = declaration.names.map(\.spelling).joined(separator: " | ")
    switch declaration.kind {
    case .option: return "\(pattern)) \(offer(declaration)); return 0 ;;"
    case .optionalValue: return "\(pattern)) if [[ -n $equals ]]; then \(offer(declaration)); return 0; fi ;;"
    case .flag, .argument: return nil
    }
  }

  private func offer(_ declaration: Declaration?) -> String {
    guard let declaration else { return ":" }
    if declaration.takesPaths { return "_\(tree.root.functionName)_files" }
    return declaration.allowedValues.isEmpty ? ":" : words(declaration.allowedValues)
  }

  private func words(_ words: [String]) -> String {
    "_\(tree.root.functionName)_words \(words.joined(separator: " ").quotedForShell)"
  }
}
