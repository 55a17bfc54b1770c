import Foundation
import TestSupport
import Testing

@testable import Arguments
@testable import kiano_gpu

/// Help, the manual page and the completions of the real shells list what is declared, and nothing else.
struct DeclaredFlagsTests {
  static let nodes = CommandTree(KianoGPU.self).nodes

  private func declared(_ node: CommandTree.Node) -> Set<String> { Set(node.options.flatMap(\.names).map(\.spelling)) }

  /// The words of a text that are written like options.
  private func options(in text: some Sequence<Character>) -> Set<String> {
    Set(String(text).matches(of: /(?:^|[ ,])(-0|--?[A-Za-z][A-Za-z0-9-]*)/).map { String($0.output.1) })
  }

  @Test func everyVerbIsAVerbOrAnswersNothing() {
    for node in Self.nodes where node.children.isEmpty && !["help", "completion"].contains(node.path[1]) {
      #expect(node.type is any Verb.Type, "\(node.line)")
    }
  }

  @Test func helpHasTwoLengths() throws {
    try Program.inTemporaryFolder { program in
      for node in Self.nodes {
        let verbs = Array(node.path.dropFirst())
        let short = try program.run(words: verbs + ["-h"])
        let lines = short.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        // A screen has 24 lines of 80 columns, and one is the prompt's.
        #expect(lines.count <= 23 && lines.allSatisfy { $0.count <= 80 }, "\(node.line): \(lines.count) lines")
        let long = try program.run(words: verbs + ["--help"])
        #expect(short.status == 0 && long.status == 0 && short.errors.isEmpty && long.errors.isEmpty)
        #expect(try program.run(words: ["help"] + verbs).output == long.output)
        // Options have their own lines, which are indented by two or six columns.
        let labels = long.output.split(separator: "\n").compactMap {
          $0.firstMatch(of: /^ {2,6}(--?[^ ].*?)(?:  |$)/)?.1
        }
        #expect(labels.reduce(into: Set()) { $0.formUnion(options(in: $1)) } == declared(node), "\(node.line)")
        #expect(declared(node).isSuperset(of: options(in: short.output)), "\(node.line)")
        if node.children.isEmpty, !node.configuration.examples.isEmpty { #expect(long.output.contains("Examples:")) }
      }
    }
  }

  @Test func manualPageListsEveryOptionAndIsClean() throws {
    try Program.inTemporaryFolder { program in
      let page = try program.run("help", "--man")
      try program.write("kiano-gpu.1", page.bytes)
      let groff = try Shell.run("/usr/bin/groff", ["-man", "-ww", "-z", "kiano-gpu.1"], in: program.folder)
      #expect(groff.status == 0 && groff.errors.isEmpty, "\(groff.errors)")
      let sections = page.output.components(separatedBy: "\n.SS ")
      for node in Self.nodes where node.children.isEmpty {
        let title = node.path.dropFirst().joined(separator: " ").replacing("-", with: "\\-")
        let section = try #require(sections.first { $0.hasPrefix(title + "\n") }, "\(node.line)")
          .components(separatedBy: "\n.SH ")[0]
        let labels = section.components(separatedBy: "\n.TP\n").dropFirst()
          .map { $0.prefix { $0 != "\n" }.replacing("\\fB", with: "").replacing("\\-", with: "-") }
          .filter { $0.hasPrefix("-") }
        #expect(labels.reduce(into: Set()) { $0.formUnion(options(in: $1)) } == declared(node), "\(node.line)")
      }
      #expect(page.output.contains("KIANO_DEVICE"))
    }
  }

  @Test("completions in real shells", .enabled(if: Shell.exists("zsh", "fish"), "zsh or fish isn't installed"))
  func completions() throws {
    try Program.inTemporaryFolder { program in
      for (shell, file) in [("bash", "complete.bash"), ("zsh", "_kiano-gpu"), ("fish", "complete.fish")] {
        let script = try program.run("completion", shell)
        #expect(script.status == 0)
        try program.write(file, script.bytes)
      }
      for node in Self.nodes {
        let verbs = Array(node.path.dropFirst())
        #expect(try offers(.bash, verbs + ["-"], program) == declared(node), "bash, \(node.line)")
        #expect(try offers(.zsh, verbs + ["-"], program) == declared(node), "zsh, \(node.line)")
        let fish = try offers(.fish, verbs + ["-"], program).filter { !$0.hasSuffix("=") }
        #expect(fish == declared(node), "fish, \(node.line)")
        for shell in Arguments.Shell.allCases {
          if !node.children.isEmpty {
            let children = Set(node.children.map(\.configuration.name))
            #expect(try offers(shell, verbs + [""], program) == children, "\(shell), \(node.line)")
          }
          for option in node.options where option.takesNextWord && !option.allowedValues.isEmpty {
            let spelling = option.names.last!.spelling
            #expect(
              try offers(shell, verbs + [spelling, ""], program) == Set(option.allowedValues), "\(shell) \(spelling)")
          }
        }
      }
      try program.write("picture.jpg", [])
      for shell in Arguments.Shell.allCases {
        #expect(try offers(shell, ["search", "pict"], program) == ["picture.jpg"])
        #expect(try offers(shell, ["sort", "--links", "pict"], program) == ["picture.jpg"])
        #expect(try offers(shell, ["completion", ""], program) == ["bash", "zsh", "fish"])
      }
    }
  }

  /// What a shell offers for the last word of a command line.
  private func offers(_ shell: Arguments.Shell, _ words: [String], _ program: Program) throws -> Set<String> {
    let scripts = Locations.repository.appendingPathComponent("Tests/Data/shells").path
    let words = ["kiano-gpu"] + words
    let line = words.joined(separator: " ")
    let outcome =
      switch shell {
      case .bash:
        try Shell.run("/bin/bash", ["\(scripts)/complete.bash", "complete.bash"] + words, in: program.folder)
      case .zsh:
        try Shell.run(
          "/usr/bin/timeout", ["20", "zsh", "-f", "\(scripts)/complete.zsh", program.folder.path, line],
          in: program.folder)
      case .fish:
        try Shell.run(
          "/usr/bin/fish", ["--no-config", "-c", "source complete.fish; complete -C '\(line)'"], in: program.folder)
      }
    #expect(outcome.errors.isEmpty, "\(shell): \(outcome.errors)")
    return Set(outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
  }
}
