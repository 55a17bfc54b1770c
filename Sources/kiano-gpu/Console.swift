import Foundation

/// The terminal: results go to standard output, everything else to standard error.
enum Console {
  /// Whether standard error is a terminal that a bar can be drawn on.
  static let errorIsTerminal = isatty(STDERR_FILENO) != 0 && getenv("TERM").map { String(cString: $0) } != "dumb"

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
    print(bytes: Array((line + "\n").utf8))
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

  private static func harmless(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control && scalar != "\n"
        ? "\\x" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
  }

  /// What went wrong.
  static func complain(_ message: String) {
    note("kiano-gpu: " + message)
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
