import Arguments
import Engine
import Features
import Foundation
import Imaging

/// `evaluate features`: how well vectors find pictures of the same kind.
struct EvaluateFeatures: Verb {
  static let configuration = CommandConfiguration(
    name: "features", abstract: "Measure how well vectors find pictures of the same kind",
    discussion: """
      DIR has a folder for each kind of picture. Each picture is looked for among all others: P@1 is how often the most \
      similar one is of the same kind, P@10 the share of the same kind among the ten most similar, mAP the mean average \
      precision. Given for the 64 bytes of content, the 50 of appearance, their mix as maps are sorted by, and for the \
      network's own values under cosine similarity.

      Every picture is compared with every other: the time grows with the square of their number.

      Exit codes: 0 done; 3 done, but some files were unreadable (0 with --ignore-errors); 4 there is nothing to compare.
      """,
    examples: [
      .init("kiano-gpu evaluate features photos", "Measures the built-in network."),
      .init("kiano-gpu evaluate features photos --model wide --json", "Measures another, for a program."),
    ])

  @Argument("DIR", help: "A folder with one folder for each kind of picture") var folder: BytePath
  @Option(
    .long("content"), valueName: "X", help: "How much content counts against appearance in the mix, 0...1")
  var content: Double = 0.5
  @Option(
    .long("framing"), valueName: "FRAMING", help: "What the network sees: squeeze (all of it) or crop (its centre)")
  var framing: DecodingOptions.Framing = .centreCrop
  @Flag(.long("ignore-errors"), help: "End with 0 even where some files were unreadable") var ignoresErrors: Bool
  @OptionGroup var model = FittedModelOptions()
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if !(0...1).contains(content) { throw UsageError("--content takes a number from 0 to 1") }
    try compute.validate()
  }

  mutating func run() throws {
    var job = EvaluateFeaturesJob(folder: folder)
    job.model = model.request
    job.contentWeight = content
    job.ingestion.decoding.framing = framing
    job.ingestion.isolation = .ofThisProgram
    let choice = try compute.choose(verbosity: display.verbosity)
    let shown = JobDisplay(display)
    defer { shown.clear() }
    let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json { try JSONDocument.print(Document(report)) } else { print(report) }
    if !report.unreadable.isEmpty, !ignoresErrors { throw ExitCode(value: ExitCode.someUnreadable) }
  }

  private func print(_ report: EvaluateFeaturesJob.Report) {
    if !display.quiet {
      Console.note(
        "\(report.pictureCount) pictures of \(report.classCount) kinds; vectors of \(report.model) on \(report.device)")
    }
    if display.verbosity > 0 {
      Console.note(report.seconds.map { $0.stage + String(format: " %.2f s", $0.seconds) }.joined(separator: ", "))
    }
    Console.print("                 P@1   P@10    mAP")
    let rows = [
      ("content", report.content), ("appearance", report.appearance), ("mix", report.mix),
      ("content, floats", report.contentFloat),
    ]
    for (name, quality) in rows {
      Console.print(
        name.padding(toLength: 15, withPad: " ", startingAt: 0)
          + String(
            format: " %.3f  %.3f  %.3f", quality.precisionAt1, quality.precisionAt10, quality.meanAveragePrecision))
    }
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Quality: Encodable {
      let map: Double
      let p1: Double
      let p10: Double

      init(_ quality: RetrievalQuality) {
        (map, p1, p10) = (quality.meanAveragePrecision, quality.precisionAt1, quality.precisionAt10)
      }
    }
    enum CodingKeys: String, CodingKey {
      case schema, model, pictures, classes, content, appearance, mix, unreadable, device, seconds
      case contentFloat = "content_float"
    }
    let schema = JSONDocument.schema
    let model: String
    let pictures: Int
    let classes: Int
    let content: Quality
    let appearance: Quality
    let mix: Quality
    let contentFloat: Quality
    let unreadable: Int
    let device: String
    let seconds: [String: Double]

    init(_ report: EvaluateFeaturesJob.Report) {
      model = report.model
      (pictures, classes) = (report.pictureCount, report.classCount)
      (content, appearance) = (Quality(report.content), Quality(report.appearance))
      (mix, contentFloat) = (Quality(report.mix), Quality(report.contentFloat))
      unreadable = report.unreadable.count
      device = report.device
      seconds = Dictionary(report.seconds.map { ($0.stage, $0.seconds) }, uniquingKeysWith: +)
    }
  }
}
