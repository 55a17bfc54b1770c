import Sorting

/// A way through all cells of a grid that never jumps: what comes one after the other lies side by side.
public enum CellPath: String, Sendable, CaseIterable {
  /// Row by row, to the right and back again.
  case snake
  /// A generalised Hilbert curve (Červený 2019): what is near on the path is near on the map, and mostly the other way
  /// round. Where a side is odd it may take a diagonal step.
  case hilbert

  /// The cells in the path's order, each as row x columns + column.
  func cells(of grid: Grid) -> [Int] {
    switch self {
    case .snake:
      return (0..<grid.rows).flatMap { row in
        (0..<grid.columns).map { row * grid.columns + (row % 2 == 0 ? $0 : grid.columns - 1 - $0) }
      }
    case .hilbert:
      var curve = HilbertCurve(columns: grid.columns, capacity: grid.cellCount)
      if grid.cellCount > 0 {
        if grid.columns >= grid.rows {
          curve.fill(at: .init(x: 0, y: 0), along: .init(x: grid.columns, y: 0), across: .init(x: 0, y: grid.rows))
        } else {
          curve.fill(at: .init(x: 0, y: 0), along: .init(x: 0, y: grid.rows), across: .init(x: grid.columns, y: 0))
        }
      }
      return curve.cells
    }
  }
}

/// A curve through a rectangle, made of curves through two or three parts of it.
private struct HilbertCurve {
  struct Vector {
    var x: Int
    var y: Int

    /// The step of one cell in this direction.
    var step: Vector { Vector(x: x.signum(), y: y.signum()) }
    var length: Int { abs(x + y) }
    /// Half of it, rounded towards zero.
    var half: Vector { Vector(x: x / 2, y: y / 2) }

    static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y) }
    static prefix func - (a: Vector) -> Vector { Vector(x: -a.x, y: -a.y) }
  }

  private let columns: Int
  private(set) var cells: [Int] = []

  init(columns: Int, capacity: Int) {
    self.columns = columns
    cells.reserveCapacity(capacity)
  }

  /// Goes through the rectangle with a corner at `start` and these sides; it ends at the far end of `along`.
  mutating func fill(at start: Vector, along: Vector, across: Vector) {
    if across.length == 1 { return line(from: start, along) }
    if along.length == 1 { return line(from: start, across) }
    var (halfAlong, halfAcross) = (along.half, across.half)
    if 2 * along.length > 3 * across.length {
      // Long: two parts one behind the other, of even length where that can be.
      if halfAlong.length % 2 == 1, along.length > 2 { halfAlong = halfAlong + along.step }
      fill(at: start, along: halfAlong, across: across)
      fill(at: start + halfAlong, along: along - halfAlong, across: across)
    } else {
      // Up, along, and down again.
      if halfAcross.length % 2 == 1, across.length > 2 { halfAcross = halfAcross + across.step }
      fill(at: start, along: halfAcross, across: halfAlong)
      fill(at: start + halfAcross, along: along, across: across - halfAcross)
      fill(
        at: start + (along - along.step) + (halfAcross - across.step), along: -halfAcross, across: -(along - halfAlong))
    }
  }

  private mutating func line(from start: Vector, _ side: Vector) {
    var place = start
    for _ in 0..<side.length {
      cells.append(place.y * columns + place.x)
      place = place + side.step
    }
  }
}
