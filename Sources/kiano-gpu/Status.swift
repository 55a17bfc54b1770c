import Arguments
import Engine
import Foundation
import Imaging
import Library

/// `status`: what is in an index, and what a run would do.
struct Status: Verb {
  static let configuration = CommandConfiguration(
    name: "status", abstract: "Tell what is in an index, and what the next run would do",
    discussion: """
      Nothing is written, and a run that is under way isn't disturbed. The folders of the last run are looked through \
      by the rules that it had; --no-scan leaves that out.

      Exit codes: 0 told; 4 there is no index; 6 it is damaged.
      """,
    examples: [
      .init("kiano-gpu status", "Tells of kiano-map/index.sqlite in the working folder."),
      .init("kiano-gpu status ~/map --verify", "Also reads the whole index and checks it."),
    ])

  @Argument("MAP", help: "The map's folder; kiano-map where left out", setting: "map") var map: BytePath?
  @Option(.long("index"), valueName: "FILE", help: "The index; MAP/index.sqlite where left out") var index: BytePath?
  @Flag(.long("no-scan"), help: "Don't look at the folders") var leavesFolders: Bool
  @Flag(.long("verify"), help: "Read the whole index, and check that it is as it was written") var verifies: Bool
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) { try compute.validate() }

  mutating func run() throws {
    var job = StatusJob(place: try IndexPlace(index: index, map: map ?? "kiano-map"))
    job.looksAtFolders = !leavesFolders
    job.verifies = verifies
    job.ingestion.isolation = .ofThisProgram
    let shown = JobDisplay(display)
    defer { shown.clear() }
    let report = try job.run(
      on: try compute.choose(verbosity: display.verbosity), cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json { return try JSONDocument.print(Document(report)) }
    lines(report).forEach(Console.print)
  }

  private func lines(_ report: StatusJob.Report) -> [String] {
    let status = report.status
    var lines = ["index: \(report.path.displayName), \(byteText(status.byteCount))"]
    if verifies { lines.append("verified: it is as it was written") }
    lines.append(
      "folders: " + (status.roots.isEmpty ? "none" : status.roots.map(\.displayName).joined(separator: ", ")))
    var pictures = "pictures: \(status.pictureCount)"
    if status.partialCount > 0 { pictures += ", of which \(status.partialCount) in part only" }
    lines.append(pictures)
    for (count, words) in [
      (status.failedCount, "unreadable"), (status.unreadableFormatCount, "of formats that this build can't read"),
      (status.leftOutCount, "left out by the last run"), (status.goneCount, "gone; 'kiano-gpu prune' forgets them"),
    ] where count > 0 {
      lines.append("\(count) \(words)")
    }
    for map in status.maps { lines.append("map: \(map.displayName)") }
    if display.verbosity > 0 {
      lines.append("different contents: \(status.contentCount)")
      lines.append("vectors of: \(status.model ?? "none yet")")
    }
    if let problem = report.problem { lines.append(problem) }
    if let preview = report.preview {
      lines.append("the next run:")
      lines += Preview(report: preview).lines.map { "  " + $0 }
    }
    return lines
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let index: String
    let bytes: Int
    let folders: [String]
    let pictures: Int
    let partial: Int
    let contents: Int
    let unreadable: Int
    let unreadableFormats: Int
    let leftOut: Int
    let gone: Int
    let model: String?
    let maps: [String]
    let next: Preview.Document?
    let problem: String?
    let peakMemoryBytes: Int

    init(_ report: StatusJob.Report) {
      let status = report.status
      index = report.path.displayName
      bytes = status.byteCount
      folders = status.roots.map(\.displayName)
      pictures = status.pictureCount
      partial = status.partialCount
      contents = status.contentCount
      unreadable = status.failedCount
      unreadableFormats = status.unreadableFormatCount
      leftOut = status.leftOutCount
      gone = status.goneCount
      model = status.model
      maps = status.maps.map(\.displayName)
      next = report.preview.map { Preview(report: $0).document }
      problem = report.problem
      peakMemoryBytes = peakResidentBytes()
    }
  }
}

/// `prune`: forgets what is gone.
struct Prune: Verb {
  static let configuration = CommandConfiguration(
    name: "prune", abstract: "Forget pictures whose files are gone",
    discussion: """
      An index keeps what it knows of pictures that are gone, in case they come back: a disk may not be mounted. This \
      removes it, and makes the index smaller. The pictures themselves are never touched.

      Exit codes: 0 done; 4 there is no index; 6 it is in use or damaged.
      """,
    examples: [
      .init("kiano-gpu prune --dry-run", "Says what would be forgotten."),
      .init("kiano-gpu prune ~/map", "Forgets it."),
    ])

  @Argument("MAP", help: "The map's folder; kiano-map where left out", setting: "map") var map: BytePath?
  @Option(.long("index"), valueName: "FILE", help: "The index; MAP/index.sqlite where left out") var index: BytePath?
  @Flag(.long("left-out"), help: "Also forget pictures that are there, and that the last run left out")
  var includesLeftOut: Bool
  @Flag(.long("dry-run"), help: "Only say what would be forgotten") var dryRun: Bool
  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    var job = PruneJob(place: try IndexPlace(index: index, map: map ?? "kiano-map"))
    job.includesLeftOut = includesLeftOut
    job.isDryRun = dryRun
    let result = try job.run()
    if display.json {
      return try JSONDocument.print(
        Document(pictures: result.pictureCount, contents: result.contentCount, bytes: result.byteCount))
    }
    let count = result.pictureCount
    Console.print(
      count == 0
        ? "nothing to forget"
        : "\(count) \(plural(count, "picture")) \(dryRun ? "would be forgotten" : "forgotten"), "
          + "\(byteText(result.byteCount)) freed")
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let pictures: Int
    let contents: Int
    let bytes: Int
  }
}
