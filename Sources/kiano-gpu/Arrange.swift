import Arguments
import Engine
import Foundation
import Imaging
import Sorting

/// `arrange`: the sorting engine alone.
struct Arrange: Verb {
  static let configuration = CommandConfiguration(
    name: "arrange", abstract: "Sort any vectors on a grid: a .npy file in, a .npy file out",
    discussion: """
      VECTORS is an array [count, dimensions] of bytes or floats, such as image embeddings or colours. Floats are \
      scaled to bytes between the smallest and the largest value; more than 128 columns are first reduced to 128 by \
      PCA. The grid is an int32 array [rows, columns] of row numbers, with -1 for cells that stay empty.

      The same vectors, settings and seed give the same grid on every device, cell for cell; the checksum shows it.
      """,
    examples: [
      .init("kiano-gpu arrange embeddings.npy -o grid.npy", "Sorts on a square grid whose opposite edges meet."),
      .init(
        "kiano-gpu arrange colours.npy --grid 64x32 --edges open --json",
        "Sorts on a rectangle and prints quality and time, without writing the grid."),
    ])

  @Argument("VECTORS.npy", help: "The vectors, one in a row") var input: BytePath
  @Option(.short("o"), .long("output"), valueName: "GRID.npy", help: "Where to write the grid") var output: BytePath?
  @Option(
    .long("start"), valueName: "GRID.npy", help: "Go on from an earlier grid; what it lacks is added near its like")
  var start: BytePath?
  @Option(.long("pin"), valueName: "GRID.npy", help: "What this grid holds stays where it is; -1 leaves a cell free")
  var pins: BytePath?
  @Option(.long("scale"), valueName: "SCALE", help: "Scale floats by the extremes of all values, or of each column")
  var scale: VectorScale = .global
  @Flag(.long("no-quality"), help: "Don't measure the quality, which takes time, too") var skipsQuality: Bool
  @OptionGroup var sorting = SortingOptions()
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    try sorting.validate()
    try compute.validate()
  }

  mutating func run() throws {
    var job = ArrangeJob(input: input)
    job.output = output
    job.size = sorting.grid.map { ($0.columns, $0.rows) }
    job.aspect = sorting.aspect
    job.holes = sorting.holes
    job.previous = start
    job.pins = pins
    job.edges = sorting.edges
    job.scale = scale
    job.tuning = sorting.tuning
    job.measuresQuality = !skipsQuality
    let progress = ProgressDisplay(display)
    defer { progress?.clear() }
    let cancellation = Interruption.watch()
    let report = try job.run(on: try compute.choose(verbosity: display.verbosity), cancellation: cancellation) {
      progress?.update($0)
    }
    progress?.clear()
    for note in report.notes where !display.quiet { Console.note(note) }
    if display.json {
      try JSONDocument.print(Document(report, seed: sorting.seed))
    } else {
      Self.lines(report, verbosity: display.verbosity).forEach(Console.print)
    }
  }

  private static func lines(_ report: ArrangeJob.Report, verbosity: Int) -> [String] {
    let grid = report.arrangement.grid
    var lines = [
      "\(report.count) vectors of \(report.dimensions) bytes on \(grid.columns) x \(grid.rows) cells",
      String(format: "sorted in %.3f s (%d steps) on ", report.sortSeconds, report.steps) + report.device,
    ]
    if let quality = report.quality, let random = report.randomQuality {
      lines.append(String(format: "DPQ16 %.4f; a random arrangement has %.4f", quality, random))
    }
    lines.append("checksum \(report.arrangement.checksum)")
    if verbosity > 0 { lines.append("peak memory \(peakResidentBytes() / 1_000_000) MB") }
    return lines
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let count: Int
    let dimensions: Int
    let columns: Int
    let rows: Int
    let edges: String
    let seed: UInt64
    let steps: Int
    let sortSeconds: Double
    let dpq16: Double?
    let dpq16Random: Double?
    let checksum: String
    let device: String
    let peakMemoryBytes: Int

    init(_ report: ArrangeJob.Report, seed: UInt64) {
      let grid = report.arrangement.grid
      (count, dimensions) = (report.count, report.dimensions)
      (columns, rows, edges) = (grid.columns, grid.rows, grid.edges.rawValue)
      self.seed = seed
      (steps, sortSeconds) = (report.steps, report.sortSeconds)
      (dpq16, dpq16Random) = (report.quality, report.randomQuality)
      (checksum, device) = (report.arrangement.checksum, report.device)
      peakMemoryBytes = peakResidentBytes()
    }
  }
}
