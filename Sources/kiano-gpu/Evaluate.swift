import Arguments
import Engine
import Foundation
import Imaging
import Sorting

/// `evaluate`: quality figures.
struct Evaluate: Command {
  static let configuration = CommandConfiguration(
    name: "evaluate", abstract: "Measure the quality of grids and of vectors",
    subcommands: [EvaluateMap.self, EvaluateFeatures.self])

  mutating func run() {}
}

/// `evaluate map`: the quality of any arrangement of any vectors.
struct EvaluateMap: Verb {
  static let configuration = CommandConfiguration(
    name: "map", abstract: "Measure how well a grid keeps what is alike together",
    discussion: """
      Prints the distance preservation quality DPQ16 (Barthel, Hezel, Jung & Schall 2023) beside that of a random \
      arrangement of the same vectors, and the mean distance of direct neighbours. Values of different vectors can't be \
      compared. Up to 16,384 vectors every one is compared with all others, above 2,048 of them are, or as many as --rows \
      says.
      """,
    examples: [
      .init("kiano-gpu evaluate map vectors.npy grid.npy", "Measures what 'arrange vectors.npy -o grid.npy' made.")
    ])

  @Argument("VECTORS.npy", help: "The vectors, one in a row") var vectors: BytePath
  @Argument("GRID.npy", help: "Rows and columns of row numbers, -1 for empty cells") var grid: BytePath
  @Option(.long("edges"), valueName: "EDGES", help: "Whether opposite edges meet") var edges: Grid.Edges = .torus
  @Option(.long("scale"), valueName: "SCALE", help: "Scale floats by the extremes of all values, or of each column")
  var scale: VectorScale = .global
  @Option(.long("rows"), valueName: "N", help: "How many vectors are compared with all others")
  var rows: Int?
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if let rows, rows < 1 { throw UsageError("--rows takes a number from 1 on") }
    try compute.validate()
  }

  mutating func run() throws {
    var job = EvaluateMapJob(vectors: vectors, grid: grid)
    job.edges = edges
    job.scale = scale
    job.rowCount = rows
    let report = try job.run(on: try compute.choose(verbosity: display.verbosity))
    report.notes.forEach(Console.note)
    if display.json {
      try JSONDocument.print(Document(report))
      return
    }
    guard let quality = report.quality, let random = report.randomQuality else {
      Console.print("the quality isn't defined: there are fewer than two different vectors")
      return
    }
    Console.print(String(format: "DPQ16 %.6f; a random arrangement has %.6f", quality, random))
    if let distance = report.meanNeighbourDistance {
      Console.print(String(format: "mean distance of direct neighbours %.3f", distance))
    }
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let columns: Int
    let rows: Int
    let dpq16: Double?
    let dpq16Random: Double?
    let meanNeighbourDistance: Double?
    let checksum: String

    init(_ report: EvaluateMapJob.Report) {
      (columns, rows) = (report.arrangement.grid.columns, report.arrangement.grid.rows)
      (dpq16, dpq16Random) = (report.quality, report.randomQuality)
      meanNeighbourDistance = report.meanNeighbourDistance
      checksum = report.arrangement.checksum
    }
  }
}
