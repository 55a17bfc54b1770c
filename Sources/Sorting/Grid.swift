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

  /// The smallest grid close to a shape that has a cell for each of `count` items.
  /// - Parameter aspect: the width over the height to aim for.
  public init(fitting count: Int, aspect: Double = 1, edges: Edges = .torus) {
    let columns = max(1, min(count, Int((Double(count) * aspect).squareRoot().rounded(.up))))
    self.init(columns: count == 0 ? 0 : columns, rows: (count + columns - 1) / columns, edges: edges)
  }

  /// Number of cells.
  public var cellCount: Int { columns * rows }
}
