/// A parser written by hand, for bytes that anyone may have written.
struct Parser: Sendable, CustomStringConvertible {
  /// What it reads, in a word.
  let name: String
  /// What it should be able to read, to begin with.
  let samples: [[UInt8]]
  /// Reads any bytes at all; it ends the process where what came out can't be true.
  let run: @Sendable ([UInt8]) -> Void

  /// The name.
  var description: String { name }

  /// All of them.
  static let all = imaging + library + arrays
}
