import Arguments
import Imaging

/// `config`: the settings, and where they come from.
struct Config: Verb {
  static let configuration = CommandConfiguration(
    name: "config", abstract: "List the settings, and where each comes from",
    discussion: """
      A setting is what holds where a command line doesn't say otherwise. It is a line 'name = value' in \
      ~/.config/kiano-gpu/config (or $XDG_CONFIG_HOME/kiano-gpu/config), or a variable KIANO_NAME, such as KIANO_DEVICE; \
      the variable goes before the file, and an option before both.

      Without --show it prints a file of settings to start from, in which each is explained and none is set.
      """,
    examples: [
      .init("kiano-gpu config > ~/.config/kiano-gpu/config", "Makes a file of settings to change."),
      .init("kiano-gpu config --show", "Lists what holds, and who says so."),
      .init("KIANO_DEVICE=cpu kiano-gpu sort ~/Pictures", "Sets one for one run."),
    ])

  @Flag(.long("show"), help: "List the value of every setting, and where it comes from") var shows: Bool
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if display.json, !shows { throw UsageError("--json needs --show: without it a file of settings is printed") }
  }

  mutating func run() throws {
    let tree = CommandTree(KianoGPU.self)
    guard shows else { return Console.printText(Self.template(tree.settings)) }
    let settings = try SettingsFile.load()
    let entries = tree.settings.map { setting in
      let entry = settings[setting.name]
      return Document.Entry(
        name: setting.name,
        value: entry.map { String(decoding: $0.value, as: UTF8.self) } ?? setting.defaultDescription,
        origin: entry?.origin ?? "default")
    }
    let file = SettingsFile.path?.displayName
    if display.json { return try JSONDocument.print(Document(file: file, settings: entries)) }
    let width = entries.map(\.name.count).max() ?? 0
    let values = entries.map { BytePath($0.value ?? "-").displayName }
    let valueWidth = min(values.map(\.count).max() ?? 0, 30)
    for (entry, value) in zip(entries, values) {
      Console.print(padded(entry.name, width) + "  " + padded(value, valueWidth) + "  " + entry.origin)
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A file of settings in which everything is a comment.
  private static func template(_ settings: [CommandTree.Setting]) -> String {
    let blocks = settings.map { setting in
      let values = setting.allowedValues.isEmpty ? "" : " (\(setting.allowedValues.joined(separator: ", ")))"
      return "# \(setting.help)\(values)\n#\(setting.name) = \(setting.defaultDescription ?? setting.valueName)\n"
    }
    return "# Settings of kiano-gpu. Take the # before a line away to set it.\n\n" + blocks.joined(separator: "\n")
  }

  /// What `--show --json` prints.
  private struct Document: Encodable {
    struct Entry: Encodable {
      let name: String
      /// Nil where nothing is set and nothing holds by default.
      let value: String?
      let origin: String
    }
    let schema = JSONDocument.schema
    let file: String?
    let settings: [Entry]
  }
}
