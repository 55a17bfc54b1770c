/// Declarations that several commands share, as a value of a type that declares them.
@propertyWrapper public struct OptionGroup<Group>: DeclaredGroup {
  /// The group, filled.
  public let wrappedValue: Group
  var members: Any { wrappedValue }

  /// A group with its defaults.
  public init(wrappedValue: Group) {
    self.wrappedValue = wrappedValue
  }
}

/// Everything that a command declares, groups included, in the order of the source.
func declared(in command: Any) -> [any Declared] {
  Mirror(reflecting: command).children.flatMap { child -> [any Declared] in
    switch child.value {
    case let declaration as any Declared: [declaration]
    case let group as any DeclaredGroup: declared(in: group.members)
    default: []
    }
  }
}
