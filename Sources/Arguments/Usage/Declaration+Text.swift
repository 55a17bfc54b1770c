extension Declaration {
  /// Names and value as help writes them: `-o, --output MAP`.
  var synopsis: String {
    let spelled = names.map(\.spelling).joined(separator: ", ")
    switch kind {
    case .flag: return spelled
    case .option: return spelled + " " + valueName
    case .optionalValue: return spelled + "[=\(valueName)]"
    case .argument: return valueName
    }
  }

  /// The help's part before its first semicolon, which is all that the short help says.
  var summary: String {
    let parts = help.split(separator: "; ", maxSplits: 1)
    return parts.first.map(String.init) ?? help
  }

  /// Which values there are, which holds, and which setting gives it, in brackets.
  var notes: String {
    let notes = [
      allowedValues.isEmpty || isArgument ? nil : allowedValues.joined(separator: ", "),
      defaultDescription.map { "default: \($0)" }, setting.map { "setting: \($0)" },
    ].compactMap { $0 }
    return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
  }
}

extension CommandTree.Node {
  /// The command line in general.
  var usage: String {
    if !children.isEmpty { return line + " COMMAND ..." }
    let words = arguments.compactMap { declaration -> String? in
      guard case .argument(let atLeast, let atMost) = declaration.kind else { return nil }
      let name = declaration.valueName + (atMost > 1 ? "..." : "")
      return atLeast == 0 ? "[\(name)]" : name
    }
    return (path + words + ["[options]"]).joined(separator: " ")
  }
}
