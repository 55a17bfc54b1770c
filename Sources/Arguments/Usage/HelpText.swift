/// The help of a command: a screenful, or with everything that there is to say.
struct HelpText: CustomStringConvertible {
  private let node: CommandTree.Node
  private let isLong: Bool
  private let width: Int
  private let isStyled: Bool

  init(_ node: CommandTree.Node, isLong: Bool, width: Int, isStyled: Bool = false) {
    self.node = node
    self.isLong = isLong
    self.width = max(40, min(width, 100))
    self.isStyled = isStyled
  }

  var description: String {
    let configuration = node.configuration
    var sections = [wrap(configuration.abstract, indent: 0), heading("Usage:") + " " + node.usage]
    if !isLong { sections = [sections.joined(separator: "\n")] }
    if !node.children.isEmpty {
      sections.append(
        heading("Commands:") + "\n" + table(node.children.map { ($0.configuration.name, $0.configuration.abstract) }))
    }
    let options = node.options.filter { isLong || !$0.isAdvanced }
    let arguments = node.arguments.map { ($0.valueName, text($0)) }
    let rows = options.map { (label(of: $0), text($0)) }
    if isLong {
      if !arguments.isEmpty { sections.append(heading("Arguments:") + "\n" + table(arguments)) }
      sections.append(heading("Options:") + "\n" + table(rows))
      sections += configuration.discussion.split(separator: "\n\n").map { wrap(String($0), indent: 0) }
      if !configuration.examples.isEmpty {
        sections.append(
          heading("Examples:") + "\n"
            + configuration.examples.map { "  \($0.line)\n" + wrap($0.meaning, indent: 6) }.joined(separator: "\n"))
      }
      return sections.joined(separator: "\n\n")
    }
    sections.append(table(arguments + rows))
    return (sections + [more(node.options.count - options.count)]).joined(separator: "\n")
  }

  /// What the short help doesn't say, and how to get it.
  private func more(_ hidden: Int) -> String {
    if !node.children.isEmpty {
      let help = (node.path.prefix(1) + ["help"] + node.path.dropFirst() + ["COMMAND"]).joined(separator: " ")
      return "'\(help)' says all of one of them."
    }
    let options = hidden == 0 ? "" : " \(hidden) more \(hidden == 1 ? "option" : "options"),"
    return "'\(node.line) --help' has\(options) details and examples."
  }

  private func label(of declaration: Declaration) -> String {
    // Long names line up under each other, with or without a short one before.
    let indent = declaration.names.allSatisfy { if case .long = $0 { true } else { false } } ? "    " : ""
    return indent + declaration.synopsis
  }

  private func text(_ declaration: Declaration) -> String {
    isLong ? declaration.help + declaration.notes : declaration.summary
  }

  // MARK: - Layout

  private func heading(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  private func table(_ rows: [(label: String, text: String)]) -> String {
    let column = min(rows.map(\.label.count).max() ?? 0, isLong ? 26 : 22) + 4
    return rows.map { row in
      let text = wrap(row.text, indent: column)
      let label = "  " + row.label
      return label.count + 2 > column
        ? isLong ? label + "\n" + text : wrap(row.label + "  " + row.text, indent: 2)
        : label + String(text.dropFirst(label.count))
    }.joined(separator: "\n")
  }

  private func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(whereSeparator: \.isWhitespace) {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
