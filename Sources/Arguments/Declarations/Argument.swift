/// A value that stands by itself, such as a path.
@propertyWrapper public final class Argument<Value>: Declared {
  private var value: Value?
  let declaration: Declaration
  private let replace: (Value?, [UInt8]) -> Value?

  /// What was given.
  /// - Precondition: the command was parsed.
  public var wrappedValue: Value { value! }

  private init(
    _ initial: Value?, valueName: String, help: String, counts: ClosedRange<Int>,
    type: any ExpressibleByArgument.Type, setting: String? = nil, replace: @escaping (Value?, [UInt8]) -> Value?
  ) {
    value = initial
    declaration = Declaration(
      kind: .argument(atLeast: counts.lowerBound, atMost: counts.upperBound), names: [], valueName: valueName,
      help: help, defaultDescription: nil, allowedValues: type.allValueStrings, takesPaths: type.isPath,
      setting: setting)
    self.replace = replace
  }

  func take(_ argument: [UInt8]) -> Bool {
    guard let value = replace(value, argument) else { return false }
    self.value = value
    return true
  }

  /// One value that must be given.
  public convenience init(_ valueName: String, help: String) where Value: ExpressibleByArgument {
    self.init(nil, valueName: valueName, help: help, counts: 1...1, type: Value.self) { _, argument in
      Value(argument: argument)
    }
  }

  /// One value or none; `setting` is the name under which settings may give it, too.
  public convenience init<Wrapped: ExpressibleByArgument>(
    wrappedValue: Wrapped? = nil, _ valueName: String, help: String, setting: String? = nil
  ) where Value == Wrapped? {
    self.init(
      .some(wrappedValue), valueName: valueName, help: help, counts: 0...1, type: Wrapped.self, setting: setting
    ) { _, argument in Wrapped(argument: argument).map { .some($0) } }
  }

  /// At least so many values.
  public convenience init<Element: ExpressibleByArgument>(
    _ valueName: String, atLeast count: Int, help: String
  ) where Value == [Element] {
    self.init([], valueName: valueName, help: help, counts: count...Int.max, type: Element.self) { values, argument in
      Element(argument: argument).map { (values ?? []) + [$0] }
    }
  }
}
