/// How an option is written.
public enum Name: Sendable, Equatable {
  /// One dash and a letter.
  case short(Character)
  /// Two dashes and a word.
  case long(String)

  var spelling: String {
    switch self {
    case .short(let letter): "-\(letter)"
    case .long(let word): "--\(word)"
    }
  }
}

/// What a declaration says of itself, for the parser and for help.
struct Declaration {
  enum Kind {
    /// Given or not, perhaps more than once.
    case flag
    /// Has a value.
    case option
    /// May have a value behind an equals sign; alone it stands for the one here.
    case optionalValue(alone: [UInt8])
    /// Stands by itself; how many there must and may be.
    case argument(atLeast: Int, atMost: Int)
  }

  let kind: Kind
  let names: [Name]
  let valueName: String
  let help: String
  /// What holds when it isn't given, in words; nil where there is nothing to say.
  let defaultDescription: String?
  let allowedValues: [String]
  /// Whether values are paths, for completions.
  var takesPaths = false
  /// Whether only the long help shows it.
  var isAdvanced = false
  /// The name under which a settings file and the environment may give the value too.
  var setting: String?

  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }

  /// Whether an option's value is the word behind it.
  var takesNextWord: Bool {
    if case .option = kind { true } else { false }
  }

  /// The option of every command that prints its help.
  static let help = Declaration(
    kind: .flag, names: [.short("h"), .long("help")], valueName: "",
    help: "Print help; -h prints a screenful, --help all of it", defaultDescription: nil, allowedValues: [])

  /// The option of the program that prints its version.
  static let version = Declaration(
    kind: .flag, names: [.long("version")], valueName: "", help: "Print the version, and those of the libraries used",
    defaultDescription: nil, allowedValues: [])
}

/// A property wrapper that the parser finds by reflection and fills.
protocol Declared: AnyObject {
  var declaration: Declaration { get }
  /// Takes one occurrence; false where the bytes mean no value.
  func take(_ argument: [UInt8]) -> Bool
}

/// A wrapper that holds further declarations.
protocol DeclaredGroup {
  var members: Any { get }
}
