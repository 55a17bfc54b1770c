import Features
import Imaging
import Sorting

/// Grids as .npy files of whole numbers, `[rows, columns]`: row numbers of vectors, and -1 for cells without one.
enum GridFile {
  /// - Parameters:
  ///   - count: how many vectors there are.
  ///   - holdsAll: whether each of them must be on the grid.
  /// - Throws: `EngineError` where the file can't be read, isn't such an array, or holds a vector twice.
  static func read(
    _ path: BytePath, edges: Grid.Edges, count: Int, holdsAll: Bool
  ) throws(EngineError) -> Arrangement {
    let name = path.displayName
    let array = try readArray(path)
    guard array.shape.count == 2, let items = array.integers, array.shape[0] * array.shape[1] < 1 << 31 else {
      throw EngineError(.failed, "\(name) isn't a grid: it must be an array [rows, columns] of whole numbers")
    }
    var seen = [Bool](repeating: false, count: count)
    for item in items where item >= 0 {
      guard item < count, !seen[item] else {
        let problem = item < count ? "twice" : "though there are only \(count) vectors"
        throw EngineError(.failed, "\(name) holds vector \(item) \(problem)")
      }
      seen[item] = true
    }
    if holdsAll, let missing = seen.firstIndex(of: false) {
      throw EngineError(.failed, "\(name) doesn't hold vector \(missing)")
    }
    return Arrangement(
      grid: Grid(columns: array.shape[1], rows: array.shape[0], edges: edges),
      items: items.map { $0 < 0 ? Arrangement.hole : Int32($0) })
  }
}
