import Foundation

/// The cells of a map: a rectangle, whose opposite edges meet or don't.
public struct Grid: Sendable, Equatable {
  /// What lies beyond an edge.
  public enum Edges: String, Sendable, CaseIterable {
    /// The opposite edge: the map repeats endlessly.
    case torus
    /// Nothing.
    case open
  }

  /// Cells in a row.
  public let columns: Int
  /// Cells in a column.
  public let rows: Int
  /// What lies beyond an edge.
  public let edges: Edges

  /// A grid of this size.
  /// - Precondition: neither side is negative, and the cells can be counted with 31 bits.
  public init(columns: Int, rows: Int, edges: Edges = .torus) {
    precondition(columns >= 0 && rows >= 0 && columns.multipliedReportingOverflow(by: rows).partialValue < 1 << 31)
    self.columns = columns
    self.rows = rows
    self.edges = edges
  }

  /// A grid with a cell for each of `count` items, of the shape asked for or, to have fewer cells without an item, one a
  /// few columns wider or narrower.
  /// - Parameter aspect: the width over the height to aim for.
  public init(fitting count: Int, aspect: Double = 1, edges: Edges = .torus) {
    let ideal = (Double(count) * aspect).squareRoot()
    func clamped(_ columns: Double) -> Int { max(1, min(count, Int(columns.rounded()))) }
    func rows(_ columns: Int) -> Int { (count + columns - 1) / columns }
    // Of widths within five per cent that leave equally few holes, the one nearest to the ideal, the larger of two.
    let candidates = (clamped(ideal / 1.05)...clamped((ideal * 1.05).rounded(.up))).reversed()
    func distance(_ columns: Int) -> Double { abs(log(Double(columns) / ideal)) }
    let columns = candidates.min {
      let holes = ($0 * rows($0), $1 * rows($1))
      return holes.0 != holes.1 ? holes.0 < holes.1 : distance($0) < distance($1)
    }!
    self.init(columns: count == 0 ? 0 : columns, rows: rows(columns), edges: edges)
  }

  /// Number of cells.
  public var cellCount: Int { columns * rows }
}
