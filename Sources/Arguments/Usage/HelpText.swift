/// The help of a command: a screenful, or with paragraphs and examples.
struct HelpText: CustomStringConvertible {
  private let type: any Command.Type
  private let path: [String]
  private let isLong: Bool
  private let width: Int
  private let declarations: [Declaration]

  init(_ type: any Command.Type, path: [String], isLong: Bool, width: Int) {
    self.type = type
    self.path = path
    self.isLong = isLong
    self.width = max(40, min(width, 100))
    declarations = declared(in: type.init()).map(\.declaration)
  }

  var description: String {
    let configuration = type.configuration
    var sections = [wrap(configuration.abstract, indent: 0), "Usage: " + usage]
    if !configuration.subcommands.isEmpty {
      sections.append(
        "Commands:\n"
          + table(configuration.subcommands.map { ($0.configuration.name, $0.configuration.abstract) }))
    }
    let arguments = declarations.filter(\.isArgument)
    if !arguments.isEmpty {
      sections.append("Arguments:\n" + table(arguments.map { ($0.valueName, $0.help) }))
    }
    let options = declarations.filter { !$0.isArgument }.map { (label(of: $0), help(of: $0)) }
    sections.append("Options:\n" + table(options + [("-h, --help", "Help: -h a screenful, --help with examples")]))
    if isLong {
      if !configuration.discussion.isEmpty {
        sections += configuration.discussion.split(separator: "\n\n").map { wrap(String($0), indent: 0) }
      }
      if !configuration.examples.isEmpty {
        sections.append(
          "Examples:\n"
            + configuration.examples.map { "  \($0.line)\n" + wrap($0.meaning, indent: 6) }.joined(separator: "\n"))
      }
    } else if !configuration.subcommands.isEmpty {
      sections.append("'\(path.joined(separator: " ")) help COMMAND' says more of one.")
    }
    return sections.joined(separator: "\n\n")
  }

  private var usage: String {
    if !type.configuration.subcommands.isEmpty { return path.joined(separator: " ") + " COMMAND ..." }
    let arguments = declarations.compactMap { declaration -> String? in
      guard case .argument(let atLeast, let atMost) = declaration.kind else { return nil }
      let name = declaration.valueName + (atMost > 1 ? "..." : "")
      return atLeast == 0 ? "[\(name)]" : name
    }
    return (path + arguments + ["[options]"]).joined(separator: " ")
  }

  private func label(of declaration: Declaration) -> String {
    let names = declaration.names.map(\.spelling).joined(separator: ", ")
    // Long names line up under each other, with or without a short one before.
    let indent = declaration.names.allSatisfy { if case .long = $0 { true } else { false } } ? "    " : ""
    return indent + names + (declaration.valueName.isEmpty ? "" : " \(declaration.valueName)")
  }

  private func help(of declaration: Declaration) -> String {
    let notes = [
      declaration.allowedValues.isEmpty ? nil : declaration.allowedValues.joined(separator: ", "),
      declaration.defaultDescription.map { "default: \($0)" },
    ].compactMap { $0 }
    return declaration.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  // MARK: - Layout

  private func table(_ rows: [(label: String, text: String)]) -> String {
    let column = min(rows.map(\.label.count).max() ?? 0, 26) + 4
    return rows.map { row in
      let text = wrap(row.text, indent: column)
      let label = "  " + row.label
      return label.count + 2 > column
        ? label + "\n" + text : label + String(text.dropFirst(label.count))
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
