import Testing

@testable import Arguments

private enum Shade: String, CaseIterable, ExpressibleByArgument {
  case light, dark
}

private struct Shared {
  @Flag(.short("v"), .long("verbose"), help: "Say more") var verbosity: Int
}

private struct Paint: Command {
  static let configuration = CommandConfiguration(
    name: "paint", abstract: "Paint things", discussion: "A long story.", examples: [.init("brush paint a", "Paints a")]
  )
  @Argument("PATH", atLeast: 1, help: "What to paint") var paths: [String]
  @Option(.short("n"), .long("number"), valueName: "N", help: "How often") var number: Int = 3
  @Option(.long("shade"), valueName: "SHADE", help: "How dark") var shade: Shade = .light
  @Option(.long("ratio"), valueName: "X", help: "A share; of what is said elsewhere", setting: "ratio")
  var ratio: Double?
  @Option(.long("form"), valueName: "SHADE", alone: "dark", help: "A form", isAdvanced: true) var form: Shade?
  @Flag(.short("q"), .long("quiet"), help: "Say nothing") var quiet: Bool
  @OptionGroup var shared = Shared()

  func validate() throws(UsageError) {
    if number < 0 { throw UsageError("--number can't be negative") }
  }
  mutating func run() {}
}

private struct Copy: Command {
  static let configuration = CommandConfiguration(name: "copy", abstract: "Copy a thing")
  @Argument("FROM", help: "What to copy") var source: String
  @Argument("TO", help: "Where to") var destination: String?
  mutating func run() {}
}

private struct Brush: Command {
  static let configuration = CommandConfiguration(
    name: "brush", abstract: "A brush", subcommands: [Paint.self, Copy.self])
  mutating func run() {}
}

struct CommandParserTests {
  private func request(_ words: [String]) throws -> CommandParser.Request {
    try CommandParser(Brush.self).parse(words.map { Array($0.utf8) })
  }

  private func paint(_ words: String...) throws -> Paint {
    guard case .run(let command as Paint) = try request(["paint"] + words) else {
      throw UsageError("not a paint command")
    }
    return command
  }

  private func message(_ words: String...) -> String? {
    do {
      _ = try request(words)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func defaultsHold() throws {
    let command = try paint("a")
    #expect(command.paths == ["a"])
    #expect(command.number == 3)
    #expect(command.shade == .light)
    #expect(command.ratio == nil)
    #expect(!command.quiet)
    #expect(command.shared.verbosity == 0)
  }

  @Test func valuesAreWrittenInEveryWay() throws {
    for words in [["-n", "7"], ["-n7"], ["--number", "7"], ["--number=7"], ["-qn7"]] {
      guard case .run(let command as Paint) = try request(["paint", "a"] + words) else { continue }
      #expect(command.number == 7)
    }
    #expect(try paint("--ratio=0.5", "a").ratio == 0.5)
    #expect(try paint("a", "--shade", "dark").shade == .dark)
    #expect(try paint("--form", "a").form == .dark)
    #expect(try paint("--form=light", "a").form == .light)
  }

  @Test func flagsShareADashAndCount() throws {
    let command = try paint("-qvv", "a", "-v")
    #expect(command.quiet)
    #expect(command.shared.verbosity == 3)
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try paint("-q", "--", "-n", "--quiet").paths == ["-n", "--quiet"])
    #expect(try paint("-").paths == ["-"])
  }

  @Test func bytesThatAreNotUTF8DoNotStopTheParser() {
    let arguments: [[UInt8]] = [Array("paint".utf8), [0xff, 0xfe]]
    #expect(throws: UsageError.self) { try CommandParser(Brush.self).parse(arguments) }
  }

  @Test func mistakesAreExplained() {
    #expect(message("piant", "a")?.contains("did you mean paint?") == true)
    #expect(message("paint", "a", "--nubmer", "3")?.contains("did you mean --number?") == true)
    #expect(message("paint")?.contains("PATH is missing") == true)
    #expect(message("paint", "a", "--number")?.contains("needs a value") == true)
    #expect(message("paint", "a", "--number", "x")?.contains("can't be \"x\"") == true)
    #expect(message("paint", "a", "--quiet=1")?.contains("takes no value") == true)
    #expect(message("paint", "a", "--shade", "drak")?.contains("did you mean dark?") == true)
    #expect(message("paint", "a", "--shade", "x")?.contains("one of light, dark") == true)
    #expect(message("paint", "a", "--ratio", "nan")?.contains("can't be") == true)
    #expect(message("paint", "a", "-n=-1")?.contains("can't be") == true)
    #expect(message("paint", "a", "--number=-1")?.contains("can't be negative") == true)
    #expect(message("copy", "a", "b", "c")?.contains("one argument too many: c") == true)
    #expect(message("paint", "a", "--\u{1b}[2J")?.contains("\u{1b}") == false)
    #expect(message("--verion")?.contains("did you mean --version?") == true)
  }

  @Test func helpListsWhatIsDeclared() throws {
    guard case .help(let short) = try request(["paint", "-h"]), case .help(let long) = try request(["paint", "--help"])
    else {
      Issue.record("no help")
      return
    }
    for word in ["PATH...", "-n, --number N", "-v, --verbose", "    --ratio X"] {
      #expect(short.contains(word))
      #expect(long.contains(word))
    }
    for word in ["A long story.", "(default: 3)", "light, dark", "setting: ratio", "--form[=SHADE]", "of what is said"]
    {
      #expect(!short.contains(word))
      #expect(long.contains(word))
    }
    #expect(short.contains("'brush paint --help' has 1 more option"))
    #expect(long.contains("brush paint a"))
    #expect(short.split(separator: "\n").allSatisfy { $0.count <= 80 })
    guard case .help(let root) = try request([]) else { return }
    #expect(root.contains("paint") && root.contains("Copy a thing"))
    guard case .version = try request(["--version"]) else {
      Issue.record("no version")
      return
    }
  }

  private func settings(_ file: String, _ environment: [String: String] = [:]) throws(UsageError) -> Settings {
    let tree = CommandTree(Brush.self)
    var settings = Settings()
    try settings.add(file: "file", contents: Array(file.utf8), home: Array("/home/a".utf8))
    _ = settings.add(
      environment: environment.map { ($0, Array($1.utf8)) }, prefix: "BRUSH", known: tree.settings.map(\.name))
    try tree.check(settings)
    return settings
  }

  private func ratio(_ words: [String], _ settings: Settings) throws -> Double? {
    let request = try CommandParser(Brush.self).parse(words.map { Array($0.utf8) }) { () throws(UsageError) in settings
    }
    guard case .run(let command as Paint) = request else { return nil }
    return command.ratio
  }

  @Test func settingsComeBeforeTheCommandLine() throws {
    #expect(try ratio(["paint", "a"], settings("# a comment\n\n ratio =\t0.5 \r\n")) == 0.5)
    #expect(try ratio(["paint", "a"], settings("ratio = 0.5\nratio = 0.25")) == 0.25)
    #expect(try ratio(["paint", "a"], settings("ratio = 0.5", ["BRUSH_RATIO": "2"])) == 2)
    #expect(try ratio(["paint", "a", "--ratio", "3"], settings("ratio = 0.5", ["BRUSH_RATIO": "2"])) == 3)
    #expect(try ratio(["paint", "a"], settings("ratio = 0.5", ["BRUSH_RATIO": ""])) == 0.5)
    #expect(try settings("ratio = 1", ["BRUSH_RATIO": "2"])["ratio"]?.origin == "BRUSH_RATIO")
  }

  @Test func settingsThatAreWrongAreNamedWithTheirPlace() {
    for (file, words) in [
      ("\nratoi = 1", ["file:2", "\"ratoi\"", "did you mean ratio?"]), ("ratio = x", ["file:1", "ratio", "\"x\""]),
      ("# fine\nratio 1", ["file:2", "name = value"]), ("number = 3", ["file:1", "there is no setting"]),
      ("ratio =", ["file:1"]), ("= 1", ["file:1"]),
    ] {
      do throws(UsageError) {
        _ = try settings(file)
        Issue.record("\(file) was taken")
      } catch {
        for word in words { #expect(error.description.contains(word), "\(error)") }
      }
    }
  }

  @Test func variablesWrittenAlmostLikeSettingsAreTold() {
    var settings = Settings()
    let strange = settings.add(
      environment: [("BRUSH_RATOI", [0x31]), ("BRUSH_TEST_DEVICE", [0x31]), ("PATH", [])], prefix: "BRUSH",
      known: ["ratio"])
    #expect(strange.count == 1 && strange[0].contains("did you mean BRUSH_RATIO?"))
    #expect(settings.entries.isEmpty)
  }

  @Test func editDistanceCountsExchangesOnce() {
    #expect(editDistance("sort", "sort") == 0)
    #expect(editDistance("osrt", "sort") == 1)
    #expect(editDistance("", "abc") == 3)
    #expect(editDistance("kitten", "sitting") == 3)
  }

  @Test func anyArgumentsAreUnderstoodOrExplained() {
    // The same at each run (Steele, Lea, Flood 2014).
    var state: UInt64 = 37
    func below(_ count: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
    let words = [
      "paint", "copy", "help", "--help", "-h", "--version", "--", "-", "--=", "-n", "-n3", "-n=3", "--number",
      "--number=",
      "--number=9223372036854775808", "--shade", "--shade=dark", "--ratio=nan", "-qv", "-vvn", "-q=1", "--verbose=2",
      "",
      "a", "\u{301}", "-é",
    ].map { Array($0.utf8) }
    for _ in 0..<100_000 {
      let arguments = (0..<below(6)).map { _ in
        var word = words[below(words.count)]
        if below(4) == 0 { word.insert(UInt8(below(256)), at: below(word.count + 1)) }
        return word
      }
      do {
        _ = try CommandParser(Brush.self).parse(arguments)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
