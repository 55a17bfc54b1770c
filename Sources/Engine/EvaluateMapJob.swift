import Features
import Imaging
import Sorting

/// Measures the quality of an arrangement that was made by this program or any other.
public struct EvaluateMapJob {
  /// A .npy file, `[count, dimensions]`.
  public var vectors: BytePath
  /// A .npy file of whole numbers, `[rows, columns]`: row numbers of `vectors`, and -1 for cells without one.
  public var grid: BytePath
  /// Whether opposite edges of the grid meet.
  public var edges = Grid.Edges.torus
  /// How float vectors become bytes.
  public var scale = VectorScale.global
  /// How many vectors are compared with all others; nil for all up to 16,384, and 2,048 above.
  public var rowCount: Int?

  /// A job for two files.
  public init(vectors: BytePath, grid: BytePath) {
    self.vectors = vectors
    self.grid = grid
  }

  /// What came of it.
  public struct Report: Sendable {
    /// The arrangement.
    public let arrangement: Arrangement
    /// DPQ16; nil where it isn't defined: for fewer than two vectors, or all of them equal.
    public let quality: Double?
    /// DPQ16 of a random arrangement.
    public let randomQuality: Double?
    /// The mean Euclidean distance, in bytes, of vectors in cells that share a side; nil where no two do.
    public let meanNeighbourDistance: Double?
    /// What a person may want to know.
    public let notes: [String]
  }

  /// Reads and measures; plain Swift takes over where the device fails.
  /// - Throws: `EngineError` where a file can't be read, or the grid doesn't hold each vector once.
  public func run(on compute: ComputeChoice) throws(EngineError) -> Report {
    let packed = try VectorFile(vectors, scale: scale).vectors
    let arrangement = try GridFile.read(grid, edges: edges, count: packed.count, holdsAll: true)
    let random = Arrangement.random(packed.count, on: arrangement.grid, seed: 0)
    var notes: [String] = []
    let values = try compute.qualities(of: [arrangement, random], packed, rowCount: rowCount ?? packed.exactRowCount) {
      notes.append($0)
    }
    let distance = try compute.meanNeighbourDistance(of: arrangement, packed) { notes.append($0) }
    return Report(
      arrangement: arrangement, quality: values?[0], randomQuality: values?[1],
      meanNeighbourDistance: distance, notes: notes)
  }
}
