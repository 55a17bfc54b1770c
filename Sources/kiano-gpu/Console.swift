import Foundation
import Synchronization

/// The terminal: results go to standard output, everything else to standard error.
enum Console {
  /// What a line beside the result is about, which decides its label's colour.
  enum Tone: String {
    case failure = "1;31"
    case caution = "33"
  }

  /// How this run speaks; decided before the verb runs.
  private struct Manner {
    var color = ColorChoice.auto
    var jsonForm: JSONForm?
  }
  private static let manner = Mutex(Manner())

  /// Whether standard error is a terminal that a bar can be drawn on.
  static let errorIsTerminal = isTerminal(STDERR_FILENO)

  /// Whether results may have colours and bold print.
  static var outputIsStyled: Bool { isStyled(STDOUT_FILENO) }

  /// How results are written for programs; nil for people.
  static var jsonForm: JSONForm? { manner.withLock(\.jsonForm) }

  /// Speaks in these colours from now on.
  static func adopt(_ color: ColorChoice) { manner.withLock { $0.color = color } }

  /// Speaks as a verb's options ask for from now on.
  static func adopt(_ options: OutputOptions) {
    manner.withLock { $0 = Manner(color: options.color, jsonForm: options.jsonForm) }
  }

  private static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) != 0 && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  private static func isStyled(_ descriptor: Int32) -> Bool {
    switch manner.withLock(\.color) {
    case .always: true
    case .never: false
    case .auto: isTerminal(descriptor) && getenv("NO_COLOR").map { $0.pointee != 0 } != true
    }
  }

  /// Columns of the terminal, or 80.
  static var width: Int {
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO]
    where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return 80
  }

  /// A line of the result. A reader that went away ends the program quietly; any other failure to write is one.
  static func print(_ line: String) {
    printText(line + "\n")
  }

  /// Lines of the result, the last with its end.
  static func printText(_ text: String) {
    print(bytes: Array(text.utf8))
  }

  /// A name of the result as its bytes are, with a zero behind it.
  static func print(zeroTerminated name: [UInt8]) {
    print(bytes: name + [0])
  }

  private static func print(bytes: [UInt8]) {
    if !write(bytes, to: STDOUT_FILENO) {
      if errno == EPIPE { exit(0) }
      complain("the result can't be written: \(String(cString: strerror(errno)))")
      exit(ExitCode.failed)
    }
  }

  /// A line beside the result, or several. Nothing that a name or an argument brings along can steer the terminal.
  static func note(_ line: String) {
    _ = write(harmless(line) + "\n", to: STDERR_FILENO)
  }

  /// A line with a label before it.
  static func note(_ line: String, label: String, _ tone: Tone) {
    let label = isStyled(STDERR_FILENO) ? "\u{1b}[\(tone.rawValue)m\(label)\u{1b}[0m" : label
    _ = write(label + " " + harmless(line) + "\n", to: STDERR_FILENO)
  }

  private static func harmless(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control && scalar != "\n"
        ? "\\x" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
  }

  /// What went wrong.
  static func complain(_ message: String) {
    note(message, label: "kiano-gpu:", .failure)
  }

  /// Asks a question on the terminal. Where there is nobody to ask, the answer is no.
  static func ask(_ question: String) -> Bool {
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return false }
    draw(harmless(question) + " [y/N] ")
    return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
  }

  /// Text on standard error without a line's end.
  static func draw(_ text: String) {
    _ = write(text, to: STDERR_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
