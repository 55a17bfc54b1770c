import Foundation
import Testing

/// What a person at a terminal sees, which `script` is for the program.
@Suite(.enabled(if: Shell.exists("script"), "script isn't installed"))
struct TerminalTests {
  private func atTerminal(_ program: Program, _ command: String) throws -> String {
    let words = "stty cols 70; " + command.replacing("kiano-gpu", with: Program.built.path)
    let outcome = try Shell.run(
      "/usr/bin/script", ["-qec", words, "/dev/null"], in: program.folder,
      environment: [
        "TERM": "xterm", "NO_COLOR": "", "SHELL": "/bin/bash",
      ])
    return outcome.output
  }

  @Test func barAndColoursAreForTerminals() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(20, in: "pictures")
      try program.write("pictures/broken.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      let bar = try atTerminal(program, "kiano-gpu sort pictures -o map --device none")
      #expect(bar.contains("[---") && bar.contains("\r\u{1b}[K") && bar.contains("\u{1b}[33munreadable:"), "\(bar)")
      #expect(bar.split(separator: "\r").allSatisfy { !$0.contains("[#") || $0.count < 80 })
      for quiet in ["--progress never", "-q"] {
        #expect(
          try !atTerminal(program, "kiano-gpu sort pictures -o map --fresh \(quiet) --device none").contains("[#"))
      }
      #expect(try atTerminal(program, "kiano-gpu sort --help").contains("\u{1b}[1mOptions:"))
      for plain in ["kiano-gpu sort --color never --help", "NO_COLOR=1 kiano-gpu sort --help"] {
        #expect(try !atTerminal(program, plain).contains("\u{1b}"))
      }
      // Without a terminal there is neither, unless it is asked for.
      let words = ["sort", "pictures", "-o", "map", "--fresh", "--seed", "3", "--ignore-errors", "--device", "none"]
      let file = try program.run(words: words)
      #expect(!file.errors.contains("\u{1b}") && !file.errors.contains("[#"))
      let asked = try program.run(words: words + ["--progress", "always", "--color", "always", "--rebuild"])
      #expect(asked.errors.contains("\r\u{1b}[K") && asked.errors.contains("\u{1b}[33munreadable:"))
    }
  }

  @Test func namesCannotSteerTheTerminal() throws {
    try Program.inTemporaryFolder { program in
      try program.makePictures(3, in: "pictures")
      let name = "pictures/\u{1b}]0;title\u{7}\n.png"
      try FileManager.default.copyItem(at: program.file("pictures/0.png"), to: program.file(name))
      try program.write("pictures/\u{1b}[2J.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 16])
      let sorted = try atTerminal(
        program, "kiano-gpu sort pictures -o map --device none --progress never --color never")
      #expect(!sorted.contains("\u{1b}") && sorted.contains("\\x1b[2J.jpg"), "\(sorted)")
      let found = try atTerminal(program, "kiano-gpu search --map map --text png --device none --progress never")
      #expect(!found.contains("\u{1b}") && found.contains("\\x1b]0;title\\x07\\x0a.png"), "\(found)")
      for wrong in ["sort $'\\e[2J' --device none --progress never", "sort pictures --\\\u{1b}x", "$'so\\ert'"] {
        #expect(try !atTerminal(program, "kiano-gpu \(wrong) --color never").contains("\u{1b}"), "\(wrong)")
      }
    }
  }
}
