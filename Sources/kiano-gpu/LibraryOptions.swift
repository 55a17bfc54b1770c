import Arguments
import Engine
import Foundation
import Imaging

/// The index, and what may happen to it.
struct LibraryOptions {
  @Option(.long("index"), valueName: "FILE", help: "The index; MAP/index.sqlite where left out", isAdvanced: true)
  var index: BytePath?
  @Flag(.long("rebuild"), help: "Begin with an empty index: every picture is read again", isAdvanced: true)
  var rebuilds: Bool
  @Flag(
    .long("accept-missing"),
    help: "Go on though a folder is missing, empty, on another disk, or has lost more than half of its pictures",
    isAdvanced: true)
  var acceptsMissing: Bool
  @Flag(.long("dry-run"), help: "Only say what would be read; also how long it would take") var dryRun: Bool
}

extension LibraryReport {
  /// What changed, in words; nil where nothing did.
  var changesInWords: String? {
    let parts = [
      (newCount, "new"), (modifiedCount, "changed"), (movedCount, "moved"), (goneCount, "gone"),
      (leftOutCount, "left out"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// What `-v` says of it.
  var details: [String] {
    (skippedInWords.map { ["passed over: " + $0] } ?? [])
      + [
        "\(readCount) files read, \(computedCount) vectors computed, \(recognisedCount) recognised by their content"
      ]
  }

  /// The kinds that were passed over, in words; nil where nothing was.
  var skippedInWords: String? {
    if skipped.isEmpty { return nil }
    return skipped.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

/// The counts of a run for JSON documents.
struct LibraryDocument: Encodable {
  let pictures: Int
  let unreadable: Int
  let skipped: [String: Int]
  let unchanged: Int
  let new: Int
  let changed: Int
  let moved: Int
  let gone: Int
  let leftOut: Int
  let read: Int
  let computed: Int
  let recognised: Int

  init(_ report: LibraryReport) {
    pictures = report.pictureCount
    unreadable = report.failureCount
    skipped = report.skipped
    unchanged = report.unchangedCount
    new = report.newCount
    changed = report.modifiedCount
    moved = report.movedCount
    gone = report.goneCount
    leftOut = report.leftOutCount
    read = report.readCount
    computed = report.computedCount
    recognised = report.recognisedCount
  }
}

/// A file that couldn't be read, for JSON documents.
struct UnreadableDocument: Encodable {
  let path: String
  let pathBase64: String?
  let reason: String

  init(_ path: BytePath, _ reason: String) {
    self.path = path.text
    pathBase64 = path.base64IfNeeded
    self.reason = reason
  }
}

extension BytePath {
  /// The path as JSON has it: what isn't UTF-8 is replaced, and told by `base64IfNeeded`.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var base64IfNeeded: String? { isUTF8 ? nil : base64 }
}

/// What a run would do, for people and for JSON documents.
struct Preview {
  let report: PreviewJob.Report

  var lines: [String] {
    let library = report.library
    var lines: [String] = []
    if report.toReadCount == 0 {
      lines.append("nothing to read: \(library.unchangedCount) \(plural(library.unchangedCount, "picture")) unchanged")
    } else {
      lines.append(
        "to read: \(report.toReadCount) \(plural(report.toReadCount, "file")), \(byteText(Int(report.bytesToRead)))"
          + "; \(library.unchangedCount) unchanged")
    }
    if let changes = library.changesInWords { lines.append("of what was found: " + changes) }
    if library.failureCount > 0 {
      lines.append("known to be unreadable: \(library.failureCount) \(plural(library.failureCount, "file"))")
    }
    if let skipped = library.skippedInWords { lines.append("passed over: " + skipped) }
    if let seconds = report.seconds {
      lines.append("it would take about " + ProgressDisplay.duration(max(seconds, 1)))
    }
    for question in report.questions { lines.append("it would ask first: \(question)") }
    return lines
  }

  struct Document: Encodable {
    let schema = JSONDocument.schema
    let library: LibraryDocument
    let toRead: Int
    let bytesToRead: Int64
    let seconds: Double?
    let questions: [String]
  }

  var document: Document {
    Document(
      library: LibraryDocument(report.library), toRead: report.toReadCount, bytesToRead: report.bytesToRead,
      seconds: report.seconds, questions: report.questions)
  }
}

/// "picture" or "pictures".
func plural(_ count: Int, _ word: String) -> String { count == 1 ? word : word + "s" }

/// "1.5 GB".
func byteText(_ count: Int) -> String {
  var (value, unit) = (Double(count), 0)
  while value >= 1000, unit < 4 { (value, unit) = (value / 1000, unit + 1) }
  return String(
    format: unit == 0 || value >= 100 ? "%.0f %@" : "%.1f %@", value, ["bytes", "kB", "MB", "GB", "TB"][unit])
}

/// Handlers that show a job on the terminal.
struct JobDisplay {
  private let progress: ProgressDisplay?
  private let verbosity: Int

  init(_ options: OutputOptions) {
    progress = ProgressDisplay(options)
    verbosity = options.verbosity
  }

  var events: JobEvents {
    JobEvents(
      progress: { progress?.update($0) },
      unreadable: { path, reason in
        clear()
        Console.note("\(path.displayName): \(reason)", label: "unreadable:", .caution)
        JSONDocument.printLine(UnreadableDocument(path, reason), type: "unreadable")
      },
      note: { say($0) },
      confirm: { question in
        clear()
        return Console.ask(question)
      },
      computed: { if verbosity > 1 { say("\($0) vectors computed") } })
  }

  func say(_ line: String) {
    clear()
    Console.note(line)
  }

  func clear() { progress?.clear() }
}
