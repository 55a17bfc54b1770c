/// A type that an argument's bytes can be read as.
public protocol ExpressibleByArgument {
  /// The value, or nil where the bytes mean none.
  init?(argument: [UInt8])
  /// Every value there is, where they can be listed, for help and errors.
  static var allValueStrings: [String] { get }
  /// Whether values are paths of files or folders, which shells complete.
  static var isPath: Bool { get }
}

extension ExpressibleByArgument {
  /// Values can't be listed.
  public static var allValueStrings: [String] { [] }
  /// Values aren't paths.
  public static var isPath: Bool { false }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  /// The value that the bytes spell in UTF-8.
  public init?(argument: [UInt8]) {
    guard let text = String(validating: argument, as: UTF8.self) else { return nil }
    self.init(text)
  }
}

extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The case whose name the bytes spell.
  public init?(argument: [UInt8]) {
    guard let text = String(validating: argument, as: UTF8.self) else { return nil }
    self.init(rawValue: text)
  }

  /// The names of the cases.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {
  /// A finite number.
  public init?(argument: [UInt8]) {
    guard let text = String(validating: argument, as: UTF8.self), let value = Double(text), value.isFinite else {
      return nil
    }
    self = value
  }
}
