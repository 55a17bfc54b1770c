import Foundation
import Testing

@testable import Arguments
@testable import kiano_gpu

/// What the tests ran the program with. Where `KIANO_TEST_RECORD` names a file, every run is added to it, so that a later
/// run of `InvocationRecordTests` can say which options no test has used.
enum InvocationRecord {
  struct Entry: Codable {
    let words: [String]
    let status: Int32
  }

  static let file = ProcessInfo.processInfo.environment["KIANO_TEST_RECORD"].map { URL(fileURLWithPath: $0) }

  static func add(_ words: [String], status: Int32) {
    guard let file, let line = try? JSONEncoder().encode(Entry(words: words, status: status)) else { return }
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    // One write, so that lines of tests that run at once don't mix.
    (line + [UInt8(ascii: "\n")]).withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The options that an invocation used, by their first names behind the command's line.
  static func options(of words: [String], root: CommandTree.Node) -> Set<String> {
    var (node, rest, used) = (root, words[...], Set<String>())
    while let word = rest.first, let child = node.children.first(where: { $0.configuration.name == word }) {
      (node, rest) = (child, rest.dropFirst())
    }
    while let word = rest.popFirst(), word != "--" {
      let letters = word.hasPrefix("-") && !word.hasPrefix("--") ? word.dropFirst().map { "-\($0)" } : []
      for spelling in word.hasPrefix("--") ? [String(word.prefix { $0 != "=" })] : letters {
        guard let option = node.options.first(where: { $0.names.contains { $0.spelling == spelling } }) else { break }
        used.insert("\(node.line) \(option.names[0].spelling)")
        guard option.takesNextWord else { continue }
        // What is behind a letter is its value, else the next word is.
        if !word.contains("="), letters.isEmpty || letters.last == spelling { _ = rest.popFirst() }
        break
      }
    }
    return used
  }
}

@Suite(
  .enabled(
    if: InvocationRecord.file.map { FileManager.default.fileExists(atPath: $0.path) } == true
      && ProcessInfo.processInfo.environment["KIANO_TEST_RECORD_IS_COMPLETE"] != nil,
    "scripts/test runs it behind all other tests"))
struct InvocationRecordTests {
  @Test func everyOptionOfEveryVerbWasUsedAndTaken() throws {
    let tree = CommandTree(KianoGPU.self)
    let lines = try Data(contentsOf: InvocationRecord.file!).split(separator: UInt8(ascii: "\n"))
    let entries = try lines.map { try JSONDecoder().decode(InvocationRecord.Entry.self, from: $0) }
    // What ended with 2 may have been refused.
    let used = entries.filter { $0.status != 2 }
      .reduce(into: Set<String>()) { $0.formUnion(InvocationRecord.options(of: $1.words, root: tree.root)) }
    let declared = Set(tree.nodes.flatMap { node in node.options.map { "\(node.line) \($0.names[0].spelling)" } })
    let missing = declared.subtracting(used).sorted()
    #expect(missing.isEmpty, "no test uses \(missing.joined(separator: "; "))")
    let verbs = Set(entries.filter { $0.status == 0 }.map { $0.words.first ?? "" })
    for node in tree.root.children { #expect(verbs.contains(node.path[1]), "no test runs \(node.line)") }
    for code: Int32 in [0, 1, 2, 3, 4, 5, 6, 130, 143] {
      #expect(entries.contains { $0.status == code }, "no run ended with \(code)")
    }
  }
}
