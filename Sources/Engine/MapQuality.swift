import Compute
import Sorting

/// The quality of an arrangement beside that of a random one.
struct MapQuality {
  let dpq: Double
  let random: Double

  /// Measures on the device, and in plain Swift where that fails.
  ///
  /// nil where it isn't defined: for fewer than two items, or all of them equal.
  /// - Parameter rowCount: how many items are compared with all others; nil for 2,048, which is enough for telling a good
  ///   map from a bad one.
  init?(
    of arrangement: Arrangement, _ vectors: PackedVectors, settings: SortingSettings, _ compute: ComputeChoice,
    rowCount: Int? = nil, note: (String) -> Void
  ) throws(EngineError) {
    let random = Arrangement.random(vectors.count, on: arrangement.grid, seed: settings.seed)
    guard let values = try compute.qualities(of: [arrangement, random], vectors, rowCount: rowCount, note: note) else {
      return nil
    }
    dpq = values[0]
    self.random = values[1]
  }
}

extension PackedVectors {
  /// How many of these vectors are compared with all others where figures are to be compared: all up to 16,384, and nil
  /// for the metric's own number above.
  var exactRowCount: Int? { count <= 16_384 ? count : nil }
}

extension ComputeChoice {
  /// DPQ16 of arrangements of these vectors, on the device or, where it fails, in plain Swift: the values are the same.
  func qualities(
    of arrangements: [Arrangement], _ vectors: PackedVectors, rowCount: Int? = nil, note: (String) -> Void
  ) throws(EngineError) -> [Double]? {
    try measure(vectors, rowCount: rowCount, note: note) { (metric) throws(ComputeError) in
      try metric.values(of: arrangements)
    }
  }

  /// The mean distance of direct neighbours; nil where there are none.
  func meanNeighbourDistance(
    of arrangement: Arrangement, _ vectors: PackedVectors, note: (String) -> Void
  ) throws(EngineError) -> Double? {
    try measure(vectors, rowCount: nil, note: note) { (metric) throws(ComputeError) in
      try metric.meanNeighbourDistance(of: arrangement)
    }
  }

  private func measure<Value>(
    _ vectors: PackedVectors, rowCount: Int?, note: (String) -> Void,
    _ body: (any QualityMetric) throws(ComputeError) -> Value?
  ) throws(EngineError) -> Value? {
    var task = ComputeTask.quality
    do {
      return try run(&task, note: note) { device, reduction in
        try body(OpenCLQuality(vectors, rowCount: rowCount, device: device, reduction: reduction))
      } plain: {
        try body(DistancePreservationQuality(vectors, rowCount: rowCount, threads: threads))
      }
    } catch {
      throw EngineError(any: error)
    }
  }
}
