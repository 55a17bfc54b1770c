/// Completions for fish: a line for each option of each command, under the condition that the command is at hand.
struct FishCompletion {
  let tree: CommandTree

  private var program: String { tree.root.path[0] }
  private var test: String { "__\(tree.root.functionName)_at" }

  var script: String {
    let paths = tree.nodes.dropFirst().map(\.line.quotedForShell).joined(separator: " ")
    return """
      # Completions of \(program) for fish, made by '\(program) completion fish'.

      # Whether the verbs of the command line so far are these.
      function \(test)
          set -l at \(program)
          for word in (commandline -opc)[2..-1]
              if contains -- "$at $word" \(paths)
                  set at "$at $word"
              end
          end
          test "$at" = "$argv"
      end

      complete -c \(program) -f
      \(tree.nodes.flatMap(lines).joined(separator: "\n"))

      """
  }

  private func lines(_ node: CommandTree.Node) -> [String] {
    let start = "complete -c \(program) -n '\(test) \(node.line)'"
    let verbs = node.children.map {
      "\(start) -a \($0.configuration.name) -d \($0.configuration.abstract.quotedForFish)"
    }
    let options = node.options.map { "\(start) \(names($0))\(values($0)) -d \($0.summary.quotedForFish)" }
    let arguments = node.arguments.compactMap { declaration -> String? in
      if declaration.takesPaths { return "\(start) -F" }
      if declaration.allowedValues.isEmpty { return nil }
      return "\(start) -a \(declaration.allowedValues.joined(separator: " ").quotedForFish)"
    }
    return verbs + options + arguments
  }

  private func names(_ declaration: Declaration) -> String {
    declaration.names.map {
      switch $0 {
      case .short(let letter): "-s \(letter)"
      case .long(let word): "-l \(word)"
      }
    }.joined(separator: " ")
  }

  private func values(_ declaration: Declaration) -> String {
    let list =
      declaration.allowedValues.isEmpty ? "" : " -a " + declaration.allowedValues.joined(separator: " ").quotedForFish
    switch declaration.kind {
    case .option: return " -r" + (declaration.takesPaths ? " -F" : " -f") + list
    case .optionalValue: return list
    case .flag, .argument: return ""
    }
  }
}

extension String {
  /// The text as one word of fish, in which a backslash means itself only when doubled.
  fileprivate var quotedForFish: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
