import Foundation
import TestSupport

/// The built program, run as a person would run it.
struct Program {
  /// What a run left.
  struct Outcome {
    let status: Int32
    let bytes: [UInt8]
    let errors: String

    /// What was printed, as text.
    var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Variables beside those of the test's own environment.
  var environment: [String: String] = [:]
  /// The folder that it runs in.
  var folder: URL

  /// What is run: the program, unless another is named.
  var executable = Self.built

  /// The program of this build.
  static let built = Locations.repository.appendingPathComponent(".build/release/kiano-gpu")

  init(folder: URL) { self.folder = folder }

  /// Where models are installed.
  var dataFolder: URL { folder.appendingPathComponent(".data") }

  /// Runs the program to its end.
  /// - Parameter interruptAfter: sends SIGINT that many seconds after the start.
  func run(_ arguments: String..., interruptAfter seconds: Double? = nil) throws -> Outcome {
    try run(words: arguments, interruptAfter: seconds)
  }

  /// The same with the arguments in an array.
  /// - Parameter signal: what is sent instead of SIGINT.
  func run(words arguments: [String], interruptAfter seconds: Double? = nil, signal: Int32 = SIGINT) throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Without the settings and models of whoever runs the tests.
    let own = ["XDG_CONFIG_HOME": folder.appendingPathComponent(".config").path, "XDG_DATA_HOME": dataFolder.path]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files rather than pipes: nobody has to read them while the program runs.
    let output = folder.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
    let errors = folder.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
    for file in [output, errors] { try Data().write(to: file) }
    defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      kill(process.processIdentifier, signal)
    }
    process.waitUntilExit()
    let status =
      process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
    if executable == Self.built { InvocationRecord.add(arguments, status: status) }
    return Outcome(
      status: status, bytes: Array(try Data(contentsOf: output)),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  /// Runs `body` with the program in a new folder, and with a cache of its own.
  static func inTemporaryFolder<Result>(_ body: (Program) throws -> Result) throws -> Result {
    try Locations.withTemporaryFolder { folder in
      let work = folder.appendingPathComponent("work")
      try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
      return try body(Program(folder: work))
    }
  }

  /// A file below the folder.
  func file(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// Makes a file, and the folders above it.
  @discardableResult
  func write(_ path: String, _ bytes: [UInt8]) throws -> URL {
    let url = file(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url
  }
}
