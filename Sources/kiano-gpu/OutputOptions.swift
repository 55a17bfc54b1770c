import Arguments

/// A command that answers: it has the options by which all answers are shown.
protocol Verb: Command {
  /// How much is said, and how.
  var display: OutputOptions { get }
}

/// How much is said, and how.
struct OutputOptions {
  @Option(
    .long("json"), valueName: "FORM", alone: "document",
    help: "Print the result as one JSON document; with =lines as one line for each part of it")
  var jsonForm: JSONForm?
  @Option(
    .long("progress"), valueName: "WHEN",
    help: "Show progress; auto is a bar on a terminal and a line every 10 seconds elsewhere, json a line every second",
    isAdvanced: true, setting: "progress")
  var progress: ProgressChoice = .auto
  @Option(
    .long("color"), valueName: "WHEN", help: "Use colours; auto does on a terminal, unless NO_COLOR is set",
    isAdvanced: true, setting: "color")
  var color: ColorChoice = .auto
  @Flag(.short("q"), .long("quiet"), help: "Say nothing beside the result but what went wrong") var quiet: Bool
  @Flag(.short("v"), .long("verbose"), help: "Say more, such as times and memory; twice for still more")
  var verbosity: Int

  /// Whether the result is printed for programs.
  var json: Bool { jsonForm != nil }
}

/// How a result is written for programs.
enum JSONForm: String, CaseIterable, ExpressibleByArgument {
  /// All of it as one value.
  case document
  /// Each part on a line of its own, as soon as it is known.
  case lines
}

/// When progress is shown, and how.
enum ProgressChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never, json
}

/// When colours are used.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// What the arguments ask for as far as can be told before they are understood: help and mistakes have colours, too.
  init(givenBy arguments: [[UInt8]]) {
    self = .auto
    let words = arguments.map { String(decoding: $0, as: UTF8.self) }
    for (index, word) in words.prefix(while: { $0 != "--" }).enumerated() {
      let value =
        word == "--color" ? words.dropFirst(index + 1).first : word.split(separator: "--color=").first.map(String.init)
      if word.hasPrefix("--color"), let choice = value.flatMap(Self.init(rawValue:)) { self = choice }
    }
  }
}
