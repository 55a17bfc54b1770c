/// Decoding in processes of their own, so that a codec that crashes or hangs costs one file and not the run.
///
/// Each decoding thread has one process, which it tells the path of a file through a socket and which answers there, after
/// it has left the two small pictures in memory that both share.
public struct DecoderIsolation: Sendable, Equatable {
  /// The program to run; it must call `DecoderWorker.run()` when given `arguments`.
  public let program: BytePath
  /// Its arguments.
  public let arguments: [String]

  /// Another program than this one, such as a test's.
  public init(program: BytePath, arguments: [String] = [DecoderWorker.argument]) {
    self.program = program
    self.arguments = arguments
  }

  /// This program once more.
  public static let ofThisProgram = DecoderIsolation(program: "/proc/self/exe")
}
