/// A named value. The last one given holds, except for arrays, which collect.
///
/// Every declaration takes `isAdvanced`, by which only the long help shows it, and `setting`, the name under which a
/// settings file and the environment may give the value too.
@propertyWrapper public final class Option<Value>: Declared {
  /// What was given, or the default.
  public private(set) var wrappedValue: Value
  let declaration: Declaration
  private let replace: (Value, [UInt8]) -> Value?

  private init(
    _ initial: Value, _ declaration: Declaration, replace: @escaping (Value, [UInt8]) -> Value?
  ) {
    wrappedValue = initial
    self.declaration = declaration
    self.replace = replace
  }

  func take(_ argument: [UInt8]) -> Bool {
    guard let value = replace(wrappedValue, argument) else { return false }
    wrappedValue = value
    return true
  }

  /// A value with a default.
  public convenience init(
    wrappedValue: Value, _ names: Name..., valueName: String, help: String, isAdvanced: Bool = false,
    setting: String? = nil
  ) where Value: ExpressibleByArgument {
    let shown = (wrappedValue as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(wrappedValue)"
    let declaration = Declaration(
      kind: .option, names: names, valueName: valueName, help: help, defaultDescription: shown,
      allowedValues: Value.allValueStrings, takesPaths: Value.isPath, isAdvanced: isAdvanced, setting: setting)
    self.init(wrappedValue, declaration) { _, argument in Value(argument: argument) }
  }

  /// A value that may be missing.
  public convenience init<Wrapped: ExpressibleByArgument>(
    wrappedValue: Wrapped? = nil, _ names: Name..., valueName: String, help: String, isAdvanced: Bool = false,
    setting: String? = nil
  ) where Value == Wrapped? {
    let declaration = Declaration(
      kind: .option, names: names, valueName: valueName, help: help, defaultDescription: nil,
      allowedValues: Wrapped.allValueStrings, takesPaths: Wrapped.isPath, isAdvanced: isAdvanced, setting: setting)
    self.init(wrappedValue, declaration) { _, argument in Wrapped(argument: argument).map { .some($0) } }
  }

  /// A value that may be missing, and that the name alone gives, too: `--json`, `--json=lines`.
  /// - Parameter alone: what the name alone stands for.
  public convenience init<Wrapped: ExpressibleByArgument>(
    wrappedValue: Wrapped? = nil, _ names: Name..., valueName: String, alone: String, help: String,
    isAdvanced: Bool = false
  ) where Value == Wrapped? {
    let declaration = Declaration(
      kind: .optionalValue(alone: Array(alone.utf8)), names: names, valueName: valueName, help: help,
      defaultDescription: nil, allowedValues: Wrapped.allValueStrings, takesPaths: Wrapped.isPath,
      isAdvanced: isAdvanced)
    self.init(wrappedValue, declaration) { _, argument in Wrapped(argument: argument).map { .some($0) } }
  }

  /// Any number of values, each after its own name.
  public convenience init<Element: ExpressibleByArgument>(
    wrappedValue: [Element] = [], _ names: Name..., valueName: String, help: String, isAdvanced: Bool = false
  ) where Value == [Element] {
    let declaration = Declaration(
      kind: .option, names: names, valueName: valueName, help: help, defaultDescription: nil,
      allowedValues: Element.allValueStrings, takesPaths: Element.isPath, isAdvanced: isAdvanced)
    self.init(wrappedValue, declaration) { values, argument in Element(argument: argument).map { values + [$0] } }
  }
}
