/// The manual page of a program, for man(1).
struct ManualPage {
  let tree: CommandTree
  let version: String
  /// The day of the version, as 2026-11-30.
  let date: String
  let prefix: String

  var text: String {
    let root = tree.root
    var lines = [
      ".\\\" Made by '\(root.line) help --man'.",
      ".TH \(root.line.uppercased()) 1 \(date) \"\(root.line) \(version)\" \"User Commands\"",
      ".SH NAME", Self.escaped(root.line) + " \\- " + Self.escaped(root.configuration.abstract),
      ".SH SYNOPSIS",
    ]
    for node in tree.nodes.dropFirst() where node.children.isEmpty {
      lines +=
        (node.path.count > 1 && node.path != tree.nodes.dropFirst().first?.path ? [".br"] : []) + [bold(node.usage)]
    }
    lines += [".SH DESCRIPTION"] + paragraphs(root.configuration.discussion)
    lines += [".SH OPTIONS"] + options(root)
    lines += [".SH COMMANDS"]
    lines += tree.nodes.dropFirst().filter(\.children.isEmpty).flatMap(section)
    lines += settings
    lines += [".SH EXAMPLES"] + examples(root)
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ node: CommandTree.Node) -> [String] {
    [".SS \(Self.escaped(node.path.dropFirst().joined(separator: " ")))", bold(node.usage), ".PP"]
      + [Self.escaped(node.configuration.abstract) + "."]
      + (node.configuration.discussion.isEmpty ? [] : [".PP"] + paragraphs(node.configuration.discussion))
      + node.arguments.flatMap { item($0.synopsis, $0) } + options(node)
      + (node.configuration.examples.isEmpty ? [] : [".PP", "Examples:"] + examples(node))
  }

  private func options(_ node: CommandTree.Node) -> [String] { node.options.flatMap { item($0.synopsis, $0) } }

  private func item(_ label: String, _ declaration: Declaration) -> [String] {
    [".TP", bold(label), Self.escaped(declaration.help + declaration.notes) + "."]
  }

  private func examples(_ node: CommandTree.Node) -> [String] {
    node.configuration.examples.flatMap { [".TP", bold($0.line), Self.escaped($0.meaning)] }
  }

  private var settings: [String] {
    let items = tree.settings.flatMap { setting in
      [".TP", bold(Settings.variable(setting.name, prefix: prefix)), Self.escaped("The setting \(setting.name).")]
    }
    return [
      ".SH ENVIRONMENT", Self.escaped("What an option says holds before these, and these before the settings file."),
    ]
      + items + [".TP", bold("NO_COLOR"), "No colours, unless \\fB\\-\\-color\\fR says otherwise."]
      + [
        ".SH FILES", ".TP", bold("~/.config/\(tree.root.line)/config"),
        Self.escaped(
          "The settings, each on a line such as 'device = cpu'; '\(tree.root.line) config' prints one to start from."),
      ]
  }

  private func paragraphs(_ text: String) -> [String] {
    Array(text.split(separator: "\n\n").map { [Self.escaped(String($0))] }.joined(separator: [".PP"]))
  }

  private func bold(_ text: String) -> String { "\\fB\(Self.escaped(text))\\fR" }

  /// Text whose signs roff leaves alone.
  private static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}

extension CommandTree {
  /// The program's manual page.
  /// - Parameters:
  ///   - date: the day of the version, as 2026-11-30.
  ///   - prefix: what the environment's settings begin with.
  public func manualPage(version: String, date: String, prefix: String) -> String {
    ManualPage(tree: self, version: version, date: date, prefix: prefix).text
  }
}
