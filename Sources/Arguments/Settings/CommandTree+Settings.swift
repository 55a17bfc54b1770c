extension CommandTree {
  /// A setting that some commands have.
  public struct Setting: Sendable {
    /// Its name in the settings file.
    public let name: String
    /// What it does: the help of its option.
    public let help: String
    /// How its value is written.
    public let valueName: String
    /// Its values, where they can be listed.
    public let allowedValues: [String]
    /// What holds where nobody sets it; nil where there is nothing to say.
    public let defaultDescription: String?
  }

  /// The settings of all commands, by their names.
  public var settings: [Setting] {
    var found: [String: Setting] = [:]
    for declaration in nodes.flatMap(\.declarations) {
      guard let name = declaration.setting else { continue }
      // Of several options the one that says what holds otherwise is told of.
      if let other = found[name], other.defaultDescription != nil || declaration.defaultDescription == nil { continue }
      found[name] = Setting(
        name: name, help: declaration.help, valueName: declaration.valueName,
        allowedValues: declaration.allowedValues, defaultDescription: declaration.defaultDescription)
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// Checks that every value is one of a setting that exists.
  /// - Throws: `UsageError` that names where the value comes from, with a suggestion.
  public func check(_ settings: Settings) throws(UsageError) {
    let declarations = nodes.flatMap { declared(in: $0.type.init()) }
    let names = Set(declarations.compactMap(\.declaration.setting)).sorted()
    for entry in settings.entries {
      let mine = declarations.filter { $0.declaration.setting == entry.name }
      if mine.isEmpty {
        throw UsageError(
          "\(entry.origin): there is no setting \"\(printable(entry.name))\""
            + suggestion(for: entry.name, among: names)
            + "\n'\(root.line) config' lists the settings.")
      }
      for declared in mine where !declared.take(entry.value) {
        throw CommandParser.unfit(entry.value, for: declared.declaration, "\(entry.origin): \(entry.name)")
      }
    }
  }
}
