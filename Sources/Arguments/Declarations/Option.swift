/// A named value. The last one given holds, except for arrays, which collect.
@propertyWrapper public final class Option<Value>: Declared {
  /// What was given, or the default.
  public private(set) var wrappedValue: Value
  let declaration: Declaration
  private let replace: (Value, [UInt8]) -> Value?

  private init(
    _ initial: Value, names: [Name], valueName: String, help: String, defaultDescription: String?,
    allowedValues: [String], replace: @escaping (Value, [UInt8]) -> Value?
  ) {
    wrappedValue = initial
    declaration = Declaration(
      kind: .option, names: names, valueName: valueName, help: help, defaultDescription: defaultDescription,
      allowedValues: allowedValues)
    self.replace = replace
  }

  func take(_ argument: [UInt8]) -> Bool {
    guard let value = replace(wrappedValue, argument) else { return false }
    wrappedValue = value
    return true
  }

  /// A value with a default.
  public convenience init(
    wrappedValue: Value, _ names: Name..., valueName: String, help: String
  ) where Value: ExpressibleByArgument {
    let shown = (wrappedValue as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(wrappedValue)"
    self.init(
      wrappedValue, names: names, valueName: valueName, help: help, defaultDescription: shown,
      allowedValues: Value.allValueStrings
    ) { _, argument in Value(argument: argument) }
  }

  /// A value that may be missing.
  public convenience init<Wrapped: ExpressibleByArgument>(
    wrappedValue: Wrapped? = nil, _ names: Name..., valueName: String, help: String
  ) where Value == Wrapped? {
    self.init(
      wrappedValue, names: names, valueName: valueName, help: help, defaultDescription: nil,
      allowedValues: Wrapped.allValueStrings
    ) { _, argument in Wrapped(argument: argument).map { .some($0) } }
  }

  /// Any number of values, each after its own name.
  public convenience init<Element: ExpressibleByArgument>(
    wrappedValue: [Element] = [], _ names: Name..., valueName: String, help: String
  ) where Value == [Element] {
    self.init(
      wrappedValue, names: names, valueName: valueName, help: help, defaultDescription: nil,
      allowedValues: Element.allValueStrings
    ) { values, argument in Element(argument: argument).map { values + [$0] } }
  }
}
