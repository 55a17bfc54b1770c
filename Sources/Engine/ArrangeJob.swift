import Compute
import Features
import Foundation
import Imaging
import Sorting

/// Sorts any vectors: the sorting engine alone.
public struct ArrangeJob {
  /// A .npy file, `[count, dimensions]`.
  public var input: BytePath
  /// Where the grid goes, an int32 .npy file `[rows, columns]`; nil writes none.
  public var output: BytePath?
  /// The grid's size; nil for a square one that fits.
  public var size: (columns: Int, rows: Int)?
  /// The width over the height of a grid whose size isn't given.
  public var aspect = 1.0
  /// An earlier grid to go on from, `[rows, columns]`; vectors that it lacks are new. nil begins at random.
  public var previous: BytePath?
  /// A grid whose vectors keep their cells; -1 in all others.
  public var pins: BytePath?
  /// Where cells without a vector are.
  public var holes = HolePlace.anywhere
  /// What lies beyond the grid's edges.
  public var edges = Grid.Edges.torus
  /// How float vectors become bytes.
  public var scale = VectorScale.global
  /// Preset, seed, and what differs from the preset.
  public var tuning = SortingTuning()
  /// Whether the arrangement's quality is measured.
  public var measuresQuality = true

  /// A job for a file.
  public init(input: BytePath) {
    self.input = input
  }

  /// What came of it.
  public struct Report: Sendable {
    /// The sorted grid.
    public let arrangement: Arrangement
    /// Vectors sorted.
    public let count: Int
    /// Bytes of a vector, after any reduction.
    public let dimensions: Int
    /// Filter steps of the sort.
    public let steps: Int
    /// Seconds of the sort itself, without reading, writing and measuring.
    public let sortSeconds: Double
    /// The quality of the arrangement; nil where it wasn't measured or isn't defined.
    public let quality: Double?
    /// The quality of a random arrangement of the same vectors.
    public let randomQuality: Double?
    /// What computed.
    public let device: String
    /// What a person may want to know.
    public let notes: [String]
  }

  /// Reads, sorts, measures and writes.
  /// - Throws: `EngineError`.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, progress: @escaping JobProgressHandler
  ) throws(EngineError) -> Report {
    if let output, let place = output.resolved(), place == input.resolved() {
      throw EngineError(.usage, "the grid can't be written over the vectors, \(input.displayName); choose another file")
    }
    let file = try VectorFile(input, scale: scale)
    let vectors = file.vectors
    var settings = tuning.settings(dimensions: vectors.dimensions)
    let (grid, start) = try start(for: vectors, seed: settings.seed)
    // The earlier map's order is kept by looking only at what is near.
    if previous != nil { settings.firstRadius = Self.continuingRadius }
    let sorted = try timedSort(
      vectors, on: grid, settings: settings, from: start, compute, cancellation, progress)
    var quality: MapQuality?
    var notes = file.notes + sorted.notes
    if measuresQuality {
      _ = StageProgress(.measuring, total: nil, handler: progress)
      quality = try MapQuality(
        of: sorted.arrangement, vectors, settings: settings, compute, rowCount: vectors.exactRowCount
      ) { notes.append($0) }
    }
    if let output {
      let array = NPYArray(shape: [grid.rows, grid.columns], sorted.arrangement.items)
      try writeFile(array.encoded(), to: output)
    }
    return Report(
      arrangement: sorted.arrangement, count: vectors.count, dimensions: vectors.dimensions,
      steps: settings.stepCount(on: grid), sortSeconds: sorted.seconds, quality: quality?.dpq,
      randomQuality: quality?.random, device: sorted.device, notes: notes)
  }

  /// With this radius at first, nearly all vectors of an earlier grid stay within two cells of their place.
  static let continuingRadius = 1

  private func start(for vectors: PackedVectors, seed: UInt64) throws(EngineError) -> (Grid, SortingStart) {
    if let previous {
      guard size == nil, pins == nil, holes == .anywhere else {
        throw EngineError(.usage, "an earlier grid says itself what its size is and what lies where")
      }
      let earlier = try GridFile.read(previous, edges: edges, count: vectors.count, holdsAll: false)
      let start = SortingStart.continuing(earlier, with: vectors)
      return (start.arrangement!.grid, start)
    }
    if let pins {
      guard size == nil, holes == .anywhere else {
        throw EngineError(.usage, "the grid of pins says itself what its size is, and where cells are free")
      }
      let pinned = try GridFile.read(pins, edges: edges, count: vectors.count, holdsAll: false)
      guard pinned.grid.cellCount >= vectors.count else {
        throw EngineError(
          .usage, "\(vectors.count) vectors don't fit on the \(pinned.grid.cellCount) cells of \(pins.displayName)")
      }
      return (pinned.grid, .pinning(pinned, count: vectors.count, seed: seed))
    }
    let grid = try grid(for: vectors.count)
    return (grid, holes.start(vectors.count, on: grid, seed: seed))
  }

  private func grid(for count: Int) throws(EngineError) -> Grid {
    guard let size else { return Grid(fitting: count, aspect: aspect, edges: edges) }
    return try Grid(size, edges: edges, for: count, called: "vectors")
  }
}

extension Grid {
  /// A grid of a size that a person asked for.
  /// - Throws: `EngineError` where it can't be made, or has too few cells.
  init(
    _ size: (columns: Int, rows: Int), edges: Edges, for count: Int, called items: String
  ) throws(EngineError) {
    let (cells, overflow) = size.columns.multipliedReportingOverflow(by: size.rows)
    guard size.columns > 0, size.rows > 0, !overflow, cells < 1 << 31 else {
      throw EngineError(.usage, "a grid of \(size.columns) x \(size.rows) cells can't be made")
    }
    guard cells >= count else {
      throw EngineError(
        .usage,
        "\(count) \(items) don't fit on \(size.columns) x \(size.rows) cells; leave the size out, or take a larger one")
    }
    self.init(columns: size.columns, rows: size.rows, edges: edges)
  }
}

/// A sort and what it took.
struct TimedSort {
  let arrangement: Arrangement
  let seconds: Double
  let device: String
  let notes: [String]
}

/// Sorts on the device, and elsewhere where it fails: from where it was when its cells were last fetched.
func timedSort(
  _ vectors: PackedVectors, on grid: Grid, settings: SortingSettings, from start: SortingStart,
  _ compute: ComputeChoice, _ cancellation: Cancellation, _ progress: @escaping JobProgressHandler
) throws(EngineError) -> TimedSort {
  var notes: [String] = []
  var task = ComputeTask.sort
  var start = start
  let stage = StageProgress(.sorting, total: 1000, handler: progress)
  var began: ContinuousClock.Instant?
  func goesOn(_ share: Double) -> Bool {
    stage.report(Int(share * 1000))
    return !cancellation.isRequested
  }
  do {
    let arrangement = try compute.run(&task, note: { notes.append($0) }) { device, reduction in
      let sorter = OpenCLSorter(device: device, reduction: reduction)
      try sorter.prepare(for: vectors, on: grid, settings: settings)
      began = began ?? .now
      return try sorter.sort(vectors, on: grid, settings: settings, from: start, progress: goesOn) { start = $0 }
    } plain: {
      began = began ?? .now
      return try SwiftSorter(threads: compute.threads).sort(
        vectors, on: grid, settings: settings, from: start, progress: goesOn)
    }
    guard let arrangement else { throw EngineError.cancelled }
    stage.report(1000)
    return TimedSort(
      arrangement: arrangement, seconds: (ContinuousClock.now - began!).inSeconds, device: compute.firstName,
      notes: notes)
  } catch {
    throw EngineError(any: error)
  }
}
