import Arguments
import Atlas
import Engine
import Foundation
import Imaging

/// `sort`: the main job, from folders of pictures to a map.
struct Sort: Verb {
  static let configuration = CommandConfiguration(
    name: "sort", abstract: "Sort the pictures below some folders into a map for the browser",
    discussion: """
      Reads every picture below each PATH ('kiano-gpu formats' lists which), and writes a folder: index.html is the map, \
      map.png the whole of it as one picture, map.json says for programs what lies where, failures.tsv lists what \
      couldn't be read. The pictures themselves are only ever read, and never copied.

      A map made before is replaced once the new one is complete. A folder that holds anything else is left alone \
      unless --force is given; then the entries of it that are named as a map's are (index.html, map.png, map.json, \
      map.jpg, order.*, failures.tsv, data, tiles, viewer) are replaced, and everything else is kept.

      What was read is kept in an index, MAP/index.sqlite, so that the next run reads only what is new or has changed; \
      an interrupted run goes on where it was. A picture whose file is gone leaves the map. A changed library's map is \
      sorted from the last one, so that pictures stay about where they were (--fresh sorts it anew).

      A PATH that doesn't exist, is suddenly empty, or has lost most of its pictures ends the run before anything is \
      done: it may be a disk that isn't mounted. On a terminal you are asked; else --accept-missing goes on.

      Exit codes: 0 done; 3 done, but some files were unreadable (0 with --ignore-errors); 4 there is no picture; 5 \
      the device asked for can't be used; 6 the index is in use or damaged; 130 and 143 interrupted, with all that was \
      read saved.
      """,
    examples: [
      .init("kiano-gpu sort ~/Pictures", "Writes the map to kiano-map in the working folder."),
      .init("kiano-gpu sort ~/Pictures /media/photos -o ~/map", "Sorts two folders into one map."),
      .init("kiano-gpu sort ~/Pictures --content 1", "Sorts by what pictures show, not by their colours."),
    ])

  @Argument("PATH", atLeast: 0, help: "Folders to search, and single pictures") var paths: [BytePath]
  @Option(.short("o"), .long("output"), valueName: "MAP", help: "The folder to write the map to", setting: "map")
  var output: BytePath = "kiano-map"
  @Option(
    .long("content"), valueName: "X",
    help: "Sort by how pictures look (0), what they show (1), or both")
  var content: Double = 0.5
  @Option(.long("sheet"), valueName: "PIXELS", help: "The widest that map.png may be", isAdvanced: true)
  var sheet: Int = 4096
  @Option(
    .long("sheet-format"), valueName: "FORMAT", help: "Whether it is map.png or map.jpg, which is far smaller",
    isAdvanced: true, setting: "sheet-format")
  var sheetFormat: SheetFormat = .png
  @Option(
    .long("export"), valueName: "FORMAT",
    help: "Also write the order as order.csv, .json, .npy, .txt or, with zero bytes, .list0; may be repeated",
    isAdvanced: true)
  var exports: [MapExport] = []
  @Option(
    .long("links"), valueName: "DIR", help: "Make a folder of numbered links to the pictures, in the map's order",
    isAdvanced: true)
  var links: BytePath?
  @Option(
    .long("order"), valueName: "WAY", help: "The way through the map that --export and --links follow",
    isAdvanced: true)
  var order: CellPath = .snake
  @Option(
    .long("leaflet"), valueName: "DIR", help: "A folder with leaflet.min.js and leaflet.css, if not the system's",
    isAdvanced: true, setting: "leaflet")
  var leaflet: BytePath?
  @Flag(.long("force"), help: "Write into a folder that holds other files, too; they are kept") var force: Bool
  @Flag(.long("fresh"), help: "Sort from the beginning, not from the last map") var fresh: Bool
  @Flag(.long("ignore-errors"), help: "End with 0 even where some files were unreadable") var ignoresErrors: Bool
  @OptionGroup var library = LibraryOptions()
  @OptionGroup var model = FittedModelOptions()
  @OptionGroup var ingestion = IngestionOptions()
  @OptionGroup var sorting = SortingOptions()
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if !(0...1).contains(content) { throw UsageError("--content takes a number from 0 to 1") }
    if !(16...65_500).contains(sheet) { throw UsageError("--sheet takes a number from 16 to 65500") }
    if let grid = sorting.grid, grid.columns.multipliedReportingOverflow(by: grid.rows).partialValue >= 1 << 31 {
      throw UsageError("--grid takes fewer than 2147483648 cells")
    }
    if paths.isEmpty, ingestion.list == nil { throw UsageError("PATH is missing: which folder is to be sorted?") }
    try ingestion.validate()
    try sorting.validate()
    try compute.validate()
  }

  mutating func run() throws {
    let choice = try compute.choose(verbosity: display.verbosity)
    let shown = JobDisplay(display)
    defer { shown.clear() }
    var job = SortJob(roots: paths, destination: output, programVersion: Program.version)
    job.ingestion = try ingestion.settings()
    job.index = library.index
    job.rebuilds = library.rebuilds
    job.model = model.request
    job.acceptsMissing = library.acceptsMissing
    job.isFresh = fresh
    job.contentWeight = content
    job.tuning = sorting.tuning
    job.edges = sorting.edges
    job.aspect = sorting.aspect
    job.size = sorting.grid.map { ($0.columns, $0.rows) }
    job.holes = sorting.holes
    job.sheetWidth = sheet
    job.sheetFormat = sheetFormat
    job.exports = exports
    job.links = links
    job.path = order
    job.leafletFolder = leaflet
    job.replacesForeignFolder = force
    if library.dryRun {
      try job.check()
      return try preview(choice, shown)
    }
    let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json {
      try JSONDocument.print(Document(report, seed: sorting.seed, content: content))
    } else {
      if !display.quiet { Self.summary(report, verbosity: display.verbosity).forEach(Console.note) }
      Console.print(report.destination.appending("index.html").displayName)
    }
    if report.library.failureCount > 0, !ignoresErrors { throw ExitCode(value: ExitCode.someUnreadable) }
  }

  private func preview(_ choice: ComputeChoice, _ shown: JobDisplay) throws {
    var job = PreviewJob(roots: paths, place: try IndexPlace(index: library.index, map: output))
    job.ingestion = try ingestion.settings()
    job.includesMap = true
    job.rebuilds = library.rebuilds
    job.model = model.request
    let preview = Preview(report: try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events))
    shown.clear()
    if display.json { return try JSONDocument.print(preview.document) }
    preview.lines.forEach(Console.print)
  }

  private static func summary(_ report: SortJob.Report, verbosity: Int) -> [String] {
    let library = report.library
    var lines: [String] = []
    // Of a first run the next line says all.
    if let changes = library.changesInWords, library.newCount < library.pictureCount {
      lines.append("\(changes); \(library.unchangedCount) as before")
    }
    if let map = report.map {
      let grid = map.arrangement.grid
      lines.append(
        "\(library.pictureCount) \(plural(library.pictureCount, "picture")) on \(grid.columns) x \(grid.rows) cells, "
          + "sorted on \(map.device)" + (map.isContinued ? ", from the last map" : ""))
      if let quality = map.quality, let random = map.randomQuality {
        lines.append(String(format: "quality (DPQ16) %.3f, where a random map has %.3f", quality, random))
      }
    } else {
      lines.append(
        "nothing has changed: the map shows all \(library.pictureCount) \(plural(library.pictureCount, "picture"))")
    }
    if library.failureCount > 0 {
      let list = report.destination.appending("failures.tsv").displayName
      lines.append("\(library.failureCount) \(plural(library.failureCount, "file")) unreadable: see \(list)")
    }
    if verbosity > 0 {
      lines += library.details
      if let map = report.map { lines.append("checksum \(map.arrangement.checksum)") }
      let total = report.seconds.map(\.seconds).reduce(0, +)
      lines.append(
        String(format: "%.2f s: ", total)
          + report.seconds.map { $0.stage + String(format: " %.2f", $0.seconds) }.joined(separator: ", "))
      lines.append("peak memory \(peakResidentBytes() / 1_000_000) MB")
    }
    return lines
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let map: String
    let mapBase64: String?
    let pictures: Int
    let unreadable: Int
    let skipped: [String: Int]
    let library: LibraryDocument
    /// Whether the map was made, rather than up to date already; the quality and the device are only there then.
    let isNew: Bool
    let isContinued: Bool?
    let columns: Int?
    let rows: Int?
    let edges: String?
    let seed: UInt64
    let content: Double
    let checksum: String?
    let dpq16: Double?
    let dpq16Random: Double?
    let device: String?
    let seconds: [String: Double]
    let peakMemoryBytes: Int

    init(_ report: SortJob.Report, seed: UInt64, content: Double) {
      let destination = report.destination
      map = destination.displayName
      mapBase64 = destination.isUTF8 ? nil : destination.base64
      pictures = report.library.pictureCount
      unreadable = report.library.failureCount
      skipped = report.library.skipped
      library = LibraryDocument(report.library)
      isNew = report.map != nil
      isContinued = report.map?.isContinued
      columns = report.map?.arrangement.grid.columns ?? report.existing?.grid.columns
      rows = report.map?.arrangement.grid.rows ?? report.existing?.grid.rows
      edges = report.map?.arrangement.grid.edges.rawValue
      self.seed = seed
      self.content = content
      checksum = report.map?.arrangement.checksum ?? report.existing?.checksum
      dpq16 = report.map?.quality
      dpq16Random = report.map?.randomQuality
      device = report.map?.device
      seconds = Dictionary(report.seconds.map { ($0.stage, $0.seconds) }, uniquingKeysWith: +)
      peakMemoryBytes = peakResidentBytes()
    }
  }
}
