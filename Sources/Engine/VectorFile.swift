import Features
import Imaging
import Sorting

/// How float vectors become bytes.
public enum VectorScale: String, Sendable, CaseIterable {
  /// By the smallest and largest value of all: distances keep their proportions.
  case global
  /// By the smallest and largest value of each column: every column counts the same.
  case column
}

/// Vectors to sort from a .npy file, `[count, dimensions]`.
struct VectorFile {
  let vectors: PackedVectors
  /// What was done to the vectors that a person may want to know.
  let notes: [String]

  /// - Throws: `EngineError` where the file can't be read, isn't such an array, or holds NaN or infinite values.
  init(_ path: BytePath, scale: VectorScale) throws(EngineError) {
    let name = path.displayName
    let array = try readArray(path)
    guard array.shape.count == 2 else {
      throw EngineError(
        .failed, "\(name) has shape \(array.shape), not [count, dimensions]; save it with one vector in a row")
    }
    let (count, columns) = (array.shape[0], array.shape[1])
    guard count > 0 else { throw EngineError(.nothingUsable, "\(name) holds no vector") }
    guard columns > 0 else { throw EngineError(.nothingUsable, "\(name) holds vectors of no dimension") }
    if array.elementType == .uint8, columns <= PackedVectors.maximumDimensions, scale == .global {
      vectors = PackedVectors(count: count, dimensions: columns, bytes: array.bytes)
      notes = []
      return
    }
    var values = Self.floats(array)
    if let bad = values.firstIndex(where: { !$0.isFinite }) {
      throw EngineError(
        .failed,
        "\(name) has a value that isn't finite in row \(bad / columns), column \(bad % columns) (counting from 0); "
          + "replace it or leave the row out")
    }
    var dimensions = columns
    var notes: [String] = []
    if columns > PackedVectors.maximumDimensions {
      dimensions = PackedVectors.maximumDimensions
      let reduction = PrincipalComponents(values, count: count, columns: columns, components: dimensions)
      values = reduction.projected(values, count: count)
      let share = String(reduction.explainedVariance * 100).prefix(4)
      notes.append("\(name): \(columns) columns reduced to \(dimensions) by PCA, which keep \(share) % of the variance")
    }
    vectors = PackedVectors(
      count: count, dimensions: dimensions, bytes: Self.bytes(values, columns: dimensions, scale: scale))
    self.notes = notes
  }

  /// The array's values, those of types that floats can't hold shifted and scaled by the extremes of all of them first:
  /// what is made of them doesn't depend on that.
  private static func floats(_ array: NPYArray) -> [Float] {
    guard let doubles = array.doubles else { return array.floats }
    guard doubles.allSatisfy(\.isFinite), let lowest = doubles.min(), let highest = doubles.max() else {
      return doubles.map { $0.isFinite ? 0 : Float($0) }
    }
    // Half of each, so that the difference of two large ones is finite.
    let range = highest / 2 - lowest / 2
    return doubles.map { range > 0 ? Float(($0 / 2 - lowest / 2) / range) : 0 }
  }

  private static func bytes(_ values: [Float], columns: Int, scale: VectorScale) -> [UInt8] {
    var lowest = [Float](repeating: .infinity, count: columns)
    var highest = [Float](repeating: -.infinity, count: columns)
    for (index, value) in values.enumerated() {
      lowest[index % columns] = min(lowest[index % columns], value)
      highest[index % columns] = max(highest[index % columns], value)
    }
    if scale == .global {
      lowest = [Float](repeating: lowest.min()!, count: columns)
      highest = [Float](repeating: highest.max()!, count: columns)
    }
    // In doubles, so that the difference of two large floats of opposite signs is finite.
    let factors = zip(lowest, highest).map { $1 > $0 ? 255 / (Double($1) - Double($0)) : 0 }
    return values.enumerated().map { index, value in
      let column = index % columns
      return UInt8(min(255, max(0, ((Double(value) - Double(lowest[column])) * factors[column]).rounded())))
    }
  }
}
