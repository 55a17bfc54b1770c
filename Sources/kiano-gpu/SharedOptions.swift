import Arguments
import Atlas
import Compute
import Engine
import Imaging
import Sorting

extension BytePath: ExpressibleByArgument {
  /// Any path; an empty one names nothing.
  public init?(argument: [UInt8]) {
    if argument.isEmpty { return nil }
    self.init(argument)
  }

  /// Shells complete paths.
  public static var isPath: Bool { true }
}

extension Grid.Edges: ExpressibleByArgument {}
extension SortingPreset: ExpressibleByArgument {}
extension HolePlace: ExpressibleByArgument {}
extension SheetFormat: ExpressibleByArgument {}
extension MapExport: ExpressibleByArgument {}
extension CellPath: ExpressibleByArgument {}
extension VectorScale: ExpressibleByArgument {}
extension DecodingOptions.Framing: ExpressibleByArgument {}

/// What computes.
struct ComputeOptions {
  @Option(
    .long("device"), valueName: "DEVICE",
    help:
      "What computes; auto, cpu, gpu, all for every GPU, none for plain Swift, ids or names from 'devices', several with "
      + "commas",
    setting: "device")
  var device: String = "auto"
  @Option(
    .short("j"), .long("threads"), valueName: "N", help: "Threads for decoding and plain Swift; 0 for all cores",
    setting: "threads")
  var threads: Int = 0

  func validate() throws(UsageError) {
    if !(0...4096).contains(threads) { throw UsageError("--threads takes 0 for all cores, or a number up to 4096") }
  }

  /// Opens the device. Why there is none is said only on request: no OpenCL is an ordinary thing.
  func choose(verbosity: Int) throws -> ComputeChoice {
    let threads = threads == 0 ? AvailableProcessors.count : threads
    return try ComputeChoice(
      DeviceSelection(device), threads: threads, probe: .ofThisProgram, faults: try InjectedFaults.plan,
      note: Console.note, detail: { if verbosity > 0 { Console.note($0) } })
  }
}

/// How maps are sorted.
struct SortingOptions {
  @Option(.long("seed"), valueName: "N", help: "Another seed gives another, equally good map", isAdvanced: true)
  var seed: UInt64 = 0
  @Option(
    .long("edges"), valueName: "EDGES", help: "Whether opposite edges meet, so that the map is endless",
    setting: "edges")
  var edges: Grid.Edges = .torus
  @Option(.long("grid"), valueName: "WxH", help: "Columns and rows; chosen to fit where left out") var grid: GridSize?
  @Option(
    .long("aspect"), valueName: "X", help: "The width over the height, roughly, where --grid is left out",
    isAdvanced: true)
  var aspect: Double = 1
  @Option(
    .long("holes"), valueName: "WHERE", help: "Where cells that nothing is left for are", isAdvanced: true)
  var holes: HolePlace = .anywhere
  @Option(
    .long("quality"), valueName: "QUALITY", help: "How much time to take for how good a map",
    setting: "quality")
  var quality: SortingPreset = .balanced
  @Option(
    .long("group"), valueName: "N", help: "Cells that swap at once, 16, 32 or 64, instead of --quality's",
    isAdvanced: true)
  var group: Int?
  @Option(
    .long("passes"), valueName: "N", help: "Swaps for each filtering of the map, instead of --quality's",
    isAdvanced: true)
  var passes: Int?
  @Option(
    .long("decay"), valueName: "X", help: "By what the filter shrinks from step to step, instead of --quality's",
    isAdvanced: true)
  var decay: Double?
  @Option(
    .long("cross-steps"), valueName: "N", help: "Last steps, for direct neighbours only, instead of --quality's",
    isAdvanced: true)
  var crossSteps: Int?

  func validate() throws(UsageError) {
    if !(0.01...100).contains(aspect) { throw UsageError("--aspect takes a number from 0.01 to 100") }
    if let group, !SortingSettings.groupSizes.contains(group) { throw UsageError("--group takes 16, 32 or 64") }
    if let passes, !(1...100).contains(passes) { throw UsageError("--passes takes a number from 1 to 100") }
    if let decay, !(decay > 0 && decay <= 0.999) { throw UsageError("--decay takes a number above 0, up to 0.999") }
    if let crossSteps, !(0...1000).contains(crossSteps) { throw UsageError("--cross-steps takes a number up to 1000") }
  }

  var tuning: SortingTuning {
    var tuning = SortingTuning()
    tuning.preset = quality
    tuning.seed = seed
    tuning.groupSize = group
    tuning.passes = passes
    tuning.decay = decay
    tuning.crossSteps = crossSteps
    return tuning
  }
}
