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

  var isArgument: Bool {
    if case .argument = kind { true } else { false }
  }
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
