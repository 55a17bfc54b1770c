import Engine

/// What the program ends with; as an error it ends a verb whose outcome was already told.
struct ExitCode: Error {
  static let failed: Int32 = 1
  static let usage: Int32 = 2
  static let someUnreadable: Int32 = 3
  static let nothingUsable: Int32 = 4
  static let device: Int32 = 5
  static let index: Int32 = 6

  let value: Int32

  static func code(for error: EngineError) -> Int32 {
    switch error.kind {
    case .failed, .cancelled: failed
    case .usage: usage
    case .nothingUsable: nothingUsable
    case .device: device
    case .index: index
    }
  }
}
