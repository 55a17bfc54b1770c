import Arguments
import Engine
import Foundation
import Imaging

/// `search`: pictures like others, pictures by their names, and duplicates.
struct Search: Verb {
  static let configuration = CommandConfiguration(
    name: "search", abstract: "Find the pictures of a library most like others, or its duplicates",
    discussion: """
      Prints the pictures of the library that are most like IMAGE, the most similar first, each after its distance: 0 \
      is equal, 1 is as far as two pictures of the library are on average. IMAGE may be any picture file, in the library \
      or not. One that is in the library isn't among its own results, as on the map's page; copies of it are. Of several \
      IMAGEs the results are merged: what counts is how far a picture is from the nearest of them.

      --text takes only pictures whose path has some text in it, whatever the case of its letters. Without IMAGE it lists \
      all of them.

      --duplicates prints groups of pictures that are the same or nearly so, such as copies, smaller versions and ones \
      that were saved again, an empty line between groups. Its distances don't depend on the library, so that \
      --threshold means the same in each; any two of a group are linked by pictures that are within it.

      The last run of 'index' or 'sort' decides what is in the library. Nothing is written.

      Exit codes: 0 done, even if nothing was found; 3 done, but some IMAGEs were unreadable; 4 there is no index, no \
      picture in it, or no IMAGE could be read; 5 the device asked for can't be used; 6 the index is damaged.
      """,
    examples: [
      .init("kiano-gpu search photo.jpg", "Lists the 20 pictures most like photo.jpg of kiano-map/index.sqlite."),
      .init("kiano-gpu search beach.jpg sunset.jpg --content 1 -n 100", "What shows much the same as either."),
      .init("kiano-gpu search --text holidays/2019 -0 | xargs -0 ls -l", "Lists pictures by a part of their path."),
      .init("kiano-gpu search --duplicates --json", "Lists duplicates for a program."),
    ])

  @Argument("IMAGE", atLeast: 0, help: "Pictures to compare with, in the library or not") var images: [BytePath]
  @Option(.long("map"), valueName: "MAP", help: "The map's folder, which the index is in", setting: "map")
  var map: BytePath = "kiano-map"
  @Option(.long("index"), valueName: "FILE", help: "The index; MAP/index.sqlite where left out", isAdvanced: true)
  var index: BytePath?
  @Option(
    .short("n"), .long("count"), valueName: "N", help: "How many to list; 20 where left out, and all without an IMAGE")
  var count: Int?
  @Option(
    .long("content"), valueName: "X",
    help:
      "How much what a picture shows counts against how it looks, 0...1; 0.5 where left out, for duplicates 0.1")
  var content: Double?
  @Option(
    .long("threshold"), valueName: "D",
    help: "List only what is within this distance; for duplicates 0.04 where left out")
  var threshold: Double?
  @Option(.long("text"), valueName: "TEXT", help: "Only pictures whose path has this in it, in any case")
  var text: String?
  @Flag(.long("duplicates"), help: "List groups of pictures that are the same or nearly so") var duplicates: Bool
  @Flag(.short("0"), .long("null"), help: "Print paths only, each with a zero byte behind it; groups end with another")
  var zeros: Bool
  @Flag(.long("open"), help: "Open the first that is found in the program that shows pictures here") var opens: Bool
  @OptionGroup var model = ModelOptions()
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if let content, !(0...1).contains(content) { throw UsageError("--content takes a number from 0 to 1") }
    if let count, count < 1 { throw UsageError("-n takes a number from 1") }
    if let threshold, threshold < 0 { throw UsageError("--threshold takes a number from 0") }
    if text == "" { throw UsageError("--text needs something to look for in paths") }
    if duplicates {
      if !images.isEmpty { throw UsageError("--duplicates compares the library with itself: it takes no IMAGE") }
      if count != nil { throw UsageError("--duplicates lists all groups: it takes no -n") }
      if opens { throw UsageError("--open opens what is most like an IMAGE: --duplicates has none") }
    } else if images.isEmpty {
      if text == nil { throw UsageError("IMAGE is missing: what is to be found? --text and --duplicates need none") }
      if threshold != nil { throw UsageError("--threshold needs an IMAGE") }
    }
    if zeros, display.json { throw UsageError("-0 and --json exclude each other") }
    try compute.validate()
  }

  mutating func run() throws {
    let choice = try compute.choose(verbosity: display.verbosity)
    let place = try IndexPlace(index: index, map: map)
    let shown = JobDisplay(display)
    defer { shown.clear() }
    if duplicates {
      var job = DuplicatesJob(place: place)
      job.text = text
      job.model = model.request
      if let threshold { job.threshold = threshold }
      if let content { job.contentWeight = content }
      let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
      shown.clear()
      tell(report.pictureCount, report.device, report.seconds)
      if !display.quiet, display.verbosity > 0 || report.groups.isEmpty {
        Console.note("\(report.groups.count) \(plural(report.groups.count, "group")) of duplicates")
      }
      return try print(report.groups)
    }
    var job = SearchJob(place: place)
    job.queries = images
    job.text = text
    job.limit = count ?? (images.isEmpty ? nil : 20)
    job.threshold = threshold
    if let content { job.contentWeight = content }
    job.model = model.request
    job.ingestion.isolation = .ofThisProgram
    let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    tell(report.pictureCount, report.device, report.seconds)
    try print(report)
    if opens, let first = report.matches.first { try PictureViewer.open(first.path) }
    if !report.unreadable.isEmpty { throw ExitCode(value: ExitCode.someUnreadable) }
  }

  private func tell(_ pictureCount: Int, _ device: String, _ seconds: [(stage: String, seconds: Double)]) {
    guard display.verbosity > 0 else { return }
    Console.note("\(pictureCount) \(plural(pictureCount, "picture")) compared on \(device)")
    Console.note(seconds.map { $0.stage + String(format: " %.3f s", $0.seconds) }.joined(separator: ", "))
    Console.note("peak memory \(peakResidentBytes() / 1_000_000) MB")
  }

  // MARK: - Printing

  private func print(_ report: SearchJob.Report) throws {
    if let form = display.jsonForm {
      let entries = report.matches.map {
        Document.Entry(path: $0.path.text, pathBase64: $0.path.base64IfNeeded, distance: $0.distance)
      }
      entries.forEach { JSONDocument.printLine($0, type: "match") }
      return try JSONDocument.print(Document(report, form == .lines ? nil : entries))
    }
    for match in report.matches {
      if zeros {
        Console.print(zeroTerminated: match.path.bytes)
      } else if let distance = match.distance {
        Console.print(String(format: "%.4f  ", distance) + match.path.displayName)
      } else {
        Console.print(match.path.displayName)
      }
    }
  }

  private func print(_ groups: [[DuplicatesJob.Member]]) throws {
    if let form = display.jsonForm {
      let groups = groups.map(DuplicatesDocument.Group.init)
      groups.forEach { JSONDocument.printLine($0, type: "group") }
      return try JSONDocument.print(DuplicatesDocument(groups: form == .lines ? nil : groups.map(\.members)))
    }
    for (number, group) in groups.enumerated() {
      if number > 0, !zeros { Console.print("") }
      for member in group {
        if zeros { Console.print(zeroTerminated: member.path.bytes) } else { Console.print(member.path.displayName) }
      }
      if zeros { Console.print(zeroTerminated: []) }
    }
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Entry: Encodable {
      let path: String
      let pathBase64: String?
      let distance: Double?
    }
    let schema = JSONDocument.schema
    /// Nil where they were printed before, line by line.
    let matches: [Entry]?
    let unreadable: [UnreadableDocument]?
    let pictures: Int
    let device: String
    let seconds: [String: Double]

    init(_ report: SearchJob.Report, _ entries: [Entry]?) {
      matches = entries
      unreadable = entries == nil ? nil : report.unreadable.map { UnreadableDocument($0.path, $0.reason) }
      pictures = report.pictureCount
      device = report.device
      seconds = Dictionary(report.seconds.map { ($0.stage, $0.seconds) }, uniquingKeysWith: +)
    }
  }

  /// What `--duplicates --json` prints.
  private struct DuplicatesDocument: Encodable {
    struct Entry: Encodable {
      let path: String
      let pathBase64: String?
      let distance: Double
      let copy: Bool
    }
    struct Group: Encodable {
      let members: [Entry]

      init(_ group: [DuplicatesJob.Member]) {
        members = group.map {
          Entry(path: $0.path.text, pathBase64: $0.path.base64IfNeeded, distance: $0.distance, copy: $0.isCopy)
        }
      }
    }
    let schema = JSONDocument.schema
    /// Nil where they were printed before, line by line.
    let groups: [[Entry]]?
  }
}
