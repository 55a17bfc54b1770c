import Arguments

/// `help`: the help of any verb, and the manual page.
struct Help: Command {
  static let configuration = CommandConfiguration(
    name: "help", abstract: "Explain a command, with examples",
    discussion: """
      'kiano-gpu help sort' is the same as 'kiano-gpu sort --help'. --man prints the manual page, which packages install: \
      man reads it from a file, too.
      """,
    examples: [
      .init("kiano-gpu help sort", "Says everything about 'sort'."),
      .init("kiano-gpu help evaluate map", "Says everything about 'evaluate map'."),
      .init("kiano-gpu help --man > kiano-gpu.1 && man ./kiano-gpu.1", "Reads the manual page."),
    ])

  @Argument("COMMAND", atLeast: 0, help: "The command, and the one below it where there is one") var verbs: [VerbName]
  @Flag(.long("man"), help: "Print the manual page of the whole program, for man") var isManual: Bool

  func validate() throws(UsageError) {
    if isManual, !verbs.isEmpty { throw UsageError("--man prints one page for all commands: it takes no COMMAND") }
  }

  mutating func run() throws {
    let tree = CommandTree(KianoGPU.self)
    if isManual {
      Console.printText(
        tree.manualPage(version: Program.version, date: Program.date, prefix: Program.environmentPrefix))
    } else {
      Console.print(
        try tree.help(verbs.map(\.word), isLong: true, width: Console.width, isStyled: Console.outputIsStyled))
    }
  }
}

/// A word that should be a verb; `help` says better than the parser could which one was meant.
struct VerbName: ExpressibleByArgument {
  static var allValueStrings: [String] { KianoGPU.configuration.subcommands.map { $0.configuration.name } }
  let word: String

  init?(argument: [UInt8]) { word = String(decoding: argument, as: UTF8.self) }
}
