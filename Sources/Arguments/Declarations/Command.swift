/// One verb of a program: a type whose properties are its flags, options and arguments.
///
/// The module is shaped like swift-argument-parser, so that it can give way to it: a command declares `@Flag`, `@Option`,
/// `@Argument` and `@OptionGroup` properties with defaults and help, and help, completions and errors come from those.
/// Unlike that library it works on the bytes of the arguments, since a path need not be UTF-8.
public protocol Command: SendableMetatype {
  /// Name, help and subcommands.
  static var configuration: CommandConfiguration { get }
  /// The command with every default in place.
  init()
  /// Checks what single declarations can't.
  /// - Throws: `UsageError`.
  func validate() throws(UsageError)
  /// Does the work.
  mutating func run() throws
}

extension Command {
  /// Nothing to check.
  public func validate() throws(UsageError) {}
}

/// What is said of a command as a whole.
public struct CommandConfiguration: Sendable {
  /// A use of the command, and what it does.
  public struct Example: Sendable {
    let line: String
    let meaning: String

    /// A command line and what it does.
    public init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The verb; for the root, the program.
  public let name: String
  /// One line.
  public let abstract: String
  /// Paragraphs that only the long help shows.
  public let discussion: String
  /// Uses, which only the long help shows.
  public let examples: [Example]
  /// The verbs below this one.
  public let subcommands: [any Command.Type]

  /// A description of a command.
  public init(
    name: String, abstract: String, discussion: String = "", examples: [Example] = [],
    subcommands: [any Command.Type] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.subcommands = subcommands
  }
}

/// A command line that can't be understood; its program ends with exit code 2.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, with a suggestion where there is one.
  public let description: String

  /// An error with this message.
  public init(_ description: String) {
    self.description = description
  }
}
