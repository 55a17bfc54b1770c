import Arguments
import Compute
import Engine
import Foundation
import Imaging

/// The program: understands its arguments, runs a verb, and ends with the exit code that the verb's outcome has.
@main
struct Program {
  /// The version of the program and of the documents that it prints.
  static let version = "0.1.0"
  /// The day of that version.
  static let date = "2026-11-30"
  /// What variables that give settings begin with.
  static let environmentPrefix = "KIANO"

  static func main() {
    // A closed pipe is an ordinary end: writing fails with EPIPE, and `Console` leaves quietly.
    signal(SIGPIPE, SIG_IGN)
    let arguments = (1..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map {
        Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map(UInt8.init(bitPattern:))
      }
    }
    // Before anything else: this process only decodes, or tries out a driver, for one that is at work.
    if arguments.first == Array(DecoderWorker.argument.utf8) { return DecoderWorker.run() }
    if arguments.count == 2, arguments[0] == Array(DriverProbe.argument.utf8) {
      return DriverProbe.runChild(library: String(decoding: arguments[1], as: UTF8.self))
    }
    Console.adopt(ColorChoice(givenBy: arguments))
    do {
      let request = try CommandParser(KianoGPU.self).parse(
        arguments, width: Console.width, isStyled: Console.outputIsStyled, settings: SettingsFile.load)
      switch request {
      case .help(let text): Console.print(text)
      case .version: Console.print(versionText)
      case .run(var command):
        if let verb = command as? any Verb { Console.adopt(verb.display) }
        try command.run()
      }
    } catch let error as UsageError {
      Console.complain(error.description)
      exit(ExitCode.usage)
    } catch let error as EngineError {
      if error.kind == .cancelled { exit(Interruption.exitCode) }
      Console.complain(error.description)
      exit(ExitCode.code(for: error))
    } catch let code as ExitCode {
      exit(code.value)
    } catch {
      Console.complain("\(error)")
      exit(ExitCode.failed)
    }
  }

  private static var versionText: String {
    (["kiano-gpu \(version)"] + libraryVersions(.ofThisProgram)).joined(separator: "\n")
  }
}

/// The root of the verbs.
struct KianoGPU: Command {
  static let configuration = CommandConfiguration(
    name: "kiano-gpu", abstract: "Sorts photo libraries into visual maps on which neighbours look alike.",
    discussion: """
      The main job is 'kiano-gpu sort FOLDER': it reads every picture below the folder, sorts them, and writes a map \
      that opens in any browser. Nothing is ever written into the folder itself unless you put the map there.

      Exit codes: 0 done; 1 failed; 2 wrong usage; 3 done, but some files were unreadable; 4 nothing usable; 5 the \
      device asked for can't be used; 6 the index is in use or damaged; 130 and 143 interrupted, with all that was read \
      saved.
      """,
    examples: [
      .init("kiano-gpu sort ~/Pictures", "Sorts ~/Pictures into the folder kiano-map, whose index.html is the map."),
      .init("kiano-gpu search photo.jpg", "Lists the pictures of that map most like photo.jpg."),
      .init("kiano-gpu devices", "Lists what can compute here."),
    ],
    subcommands: [
      Sort.self, Index.self, Search.self, Status.self, Prune.self, Arrange.self, Evaluate.self, Model.self,
      Devices.self, Bench.self, Formats.self, Config.self, Completion.self, Help.self,
    ])

  mutating func run() {}
}
