/// A switch without a value.
@propertyWrapper public final class Flag<Value>: Declared {
  /// What was given, or the default.
  public private(set) var wrappedValue: Value
  let declaration: Declaration
  private let advance: (Value) -> Value

  private init(
    _ initial: Value, names: [Name], help: String, isAdvanced: Bool, advance: @escaping (Value) -> Value
  ) {
    wrappedValue = initial
    declaration = Declaration(
      kind: .flag, names: names, valueName: "", help: help, defaultDescription: nil, allowedValues: [],
      isAdvanced: isAdvanced)
    self.advance = advance
  }

  func take(_: [UInt8]) -> Bool {
    wrappedValue = advance(wrappedValue)
    return true
  }
}

extension Flag where Value == Bool {
  /// A switch that is off unless given.
  ///
  /// - Parameter isAdvanced: whether only the long help shows it.
  public convenience init(wrappedValue: Bool = false, _ names: Name..., help: String, isAdvanced: Bool = false) {
    self.init(wrappedValue, names: names, help: help, isAdvanced: isAdvanced) { _ in true }
  }
}

extension Flag where Value == Int {
  /// A switch that counts how often it is given.
  public convenience init(wrappedValue: Int = 0, _ names: Name..., help: String, isAdvanced: Bool = false) {
    self.init(wrappedValue, names: names, help: help, isAdvanced: isAdvanced) { $0 + 1 }
  }
}
