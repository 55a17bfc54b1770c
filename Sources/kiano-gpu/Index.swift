import Arguments
import Engine
import Foundation
import Imaging

/// `index`: reads what changed, without a map.
struct Index: Verb {
  static let configuration = CommandConfiguration(
    name: "index", abstract: "Read the pictures below some folders into an index, and make no map",
    discussion: """
      Reads every picture below each PATH that is new or has changed since the last run, and keeps what is known of it: \
      size, date, vectors and a thumbnail. 'sort' does this too; 'index' alone is for servers that read by night and \
      sort by day.

      What is as large and as old as before isn't read again. A file of another name or place is recognised, first as \
      the same file, then by its bytes. A picture that is gone is kept until 'kiano-gpu prune'.

      Interrupted, even by a power cut, it loses no more than the last few pictures: the same command goes on.

      Exit codes: 0 done; 3 done, but some files were unreadable (0 with --ignore-errors); 4 there is no picture; 6 \
      the index is in use or damaged; 130 and 143 interrupted, with all that was read saved.
      """,
    examples: [
      .init("kiano-gpu index ~/Pictures", "Reads into kiano-map/index.sqlite, where 'sort' finds it."),
      .init("kiano-gpu index /srv/photos --index /var/lib/kiano/photos.sqlite", "Keeps the index somewhere else."),
      .init("kiano-gpu index ~/Pictures --dry-run", "Says what would be read, and how long it would take."),
    ])

  @Argument("PATH", atLeast: 0, help: "Folders to search, and single pictures") var paths: [BytePath]
  @Option(
    .short("o"), .long("output"), valueName: "MAP", help: "The map's folder, which the index is in", setting: "map")
  var output: BytePath = "kiano-map"
  @Flag(.long("ignore-errors"), help: "End with 0 even where some files were unreadable") var ignoresErrors: Bool
  @OptionGroup var library = LibraryOptions()
  @OptionGroup var model = FittedModelOptions()
  @OptionGroup var ingestion = IngestionOptions()
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if paths.isEmpty, ingestion.list == nil { throw UsageError("PATH is missing: which folder is to be read?") }
    try ingestion.validate()
    try compute.validate()
  }

  mutating func run() throws {
    let choice = try compute.choose(verbosity: display.verbosity)
    let place = try IndexPlace(index: library.index, map: output)
    let shown = JobDisplay(display)
    defer { shown.clear() }
    if library.dryRun {
      try IndexJob(roots: paths, place: place).check()
      var job = PreviewJob(roots: paths, place: place)
      job.ingestion = try ingestion.settings()
      job.rebuilds = library.rebuilds
      job.model = model.request
      let preview = Preview(report: try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events))
      shown.clear()
      if display.json { return try JSONDocument.print(preview.document) }
      return preview.lines.forEach(Console.print)
    }
    var job = IndexJob(roots: paths, place: place)
    job.ingestion = try ingestion.settings()
    job.rebuilds = library.rebuilds
    job.model = model.request
    job.acceptsMissing = library.acceptsMissing
    let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json {
      try JSONDocument.print(Document(report))
    } else {
      if !display.quiet { summary(report).forEach(Console.note) }
      Console.print(report.path.displayName)
    }
    if report.library.failureCount > 0, !ignoresErrors { throw ExitCode(value: ExitCode.someUnreadable) }
  }

  private func summary(_ report: IndexJob.Report) -> [String] {
    let library = report.library
    var lines = [
      (library.changesInWords ?? "nothing has changed")
        + "; \(library.pictureCount) \(plural(library.pictureCount, "picture")) in all"
    ]
    if library.failureCount > 0 {
      lines.append("\(library.failureCount) \(plural(library.failureCount, "file")) unreadable")
    }
    if display.verbosity > 0 {
      lines += library.details
      lines.append("on \(report.device)")
      lines.append(report.seconds.map { $0.stage + String(format: " %.2f s", $0.seconds) }.joined(separator: ", "))
      lines.append("peak memory \(peakResidentBytes() / 1_000_000) MB")
    }
    return lines
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let index: String
    let indexBase64: String?
    let library: LibraryDocument
    let device: String
    let seconds: [String: Double]
    let peakMemoryBytes: Int

    init(_ report: IndexJob.Report) {
      index = report.path.displayName
      indexBase64 = report.path.isUTF8 ? nil : report.path.base64
      library = LibraryDocument(report.library)
      device = report.device
      seconds = Dictionary(report.seconds.map { ($0.stage, $0.seconds) }, uniquingKeysWith: +)
      peakMemoryBytes = peakResidentBytes()
    }
  }
}
