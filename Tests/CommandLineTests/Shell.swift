import Foundation

/// Other programs than ours.
enum Shell {
  /// Runs a program to its end, with what it prints kept apart from what it complains of.
  static func run(
    _ program: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    var other = Program(folder: folder)
    other.executable = URL(fileURLWithPath: program)
    other.environment = environment
    return try other.run(words: arguments)
  }

  /// Runs lines of bash in which `$KIANO` is the program.
  static func bash(_ lines: String, in folder: URL, environment: [String: String] = [:]) throws -> Program.Outcome {
    try run(
      "/bin/bash", ["-c", lines], in: folder,
      environment: environment.merging(["KIANO": Program.built.path]) { $1 })
  }

  /// Whether programs are installed.
  static func exists(_ names: String...) -> Bool {
    names.allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }
  }
}
