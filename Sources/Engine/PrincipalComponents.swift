import Foundation

/// The directions of largest variance of a set of vectors, found by orthogonal iteration on the covariance matrix
/// (Golub & Van Loan, Matrix Computations, 7.3.2).
struct PrincipalComponents {
  /// The mean vector, `[columns]`.
  private let mean: [Double]
  /// Orthonormal rows, `[components][columns]`, the largest variance first.
  private let basis: [[Double]]
  /// The share of the variance that the components keep, 0 to 1.
  let explainedVariance: Double

  /// The covariance is taken from at most this many vectors, evenly spaced.
  private static let sampleLimit = 8192

  init(_ values: [Float], count: Int, columns: Int, components: Int) {
    let stride = max(1, count / Self.sampleLimit)
    let rows = Swift.stride(from: 0, to: count, by: stride).map { $0 * columns }
    var mean = [Double](repeating: 0, count: columns)
    for row in rows { for c in 0..<columns { mean[c] += Double(values[row + c]) } }
    for c in 0..<columns { mean[c] /= Double(rows.count) }

    var covariance = [Double](repeating: 0, count: columns * columns)
    covariance.withUnsafeMutableBufferPointer { covariance in
      var centred = [Double](repeating: 0, count: columns)
      for row in rows {
        for c in 0..<columns { centred[c] = Double(values[row + c]) - mean[c] }
        for i in 0..<columns {
          let factor = centred[i]
          let target = covariance.baseAddress! + i * columns
          for j in 0..<columns { target[j] += factor * centred[j] }
        }
      }
    }
    var basis = (0..<components).map { component in
      (0..<columns).map { $0 == component ? 1.0 : 0.1 * sin(Double(component * columns + $0)) }
    }
    Self.orthonormalise(&basis)
    var kept = 0.0
    for _ in 0..<40 {
      basis = basis.map { Self.product(covariance, $0) }
      let before = kept
      kept = Self.orthonormalise(&basis)
      if abs(kept - before) <= 1e-9 * abs(kept) { break }
    }
    let total = (0..<columns).map { covariance[$0 * columns + $0] }.reduce(0, +)
    explainedVariance = total > 0 ? min(1, kept / total) : 1
    self.mean = mean
    self.basis = basis
  }

  /// The vectors in the basis, `[count][components]`.
  func projected(_ values: [Float], count: Int) -> [Float] {
    let columns = mean.count
    let offsets = basis.map { row in zip(row, mean).map { $0 * $1 }.reduce(0, +) }
    let rows = basis.map { $0.map { Float($0) } }
    var result = [Float](repeating: 0, count: count * basis.count)
    values.withUnsafeBufferPointer { values in
      for index in 0..<count {
        for (component, row) in rows.enumerated() {
          var sum = SIMD8<Float>()
          var tail: Float = 0
          row.withUnsafeBufferPointer { row in
            let vector = values.baseAddress! + index * columns
            var c = 0
            while c + 8 <= columns {
              var (a, b) = (SIMD8<Float>(), SIMD8<Float>())
              for lane in 0..<8 {
                a[lane] = vector[c + lane]
                b[lane] = row[c + lane]
              }
              sum += a * b
              c += 8
            }
            while c < columns {
              tail += vector[c] * row[c]
              c += 1
            }
          }
          result[index * basis.count + component] = sum.sum() + tail - Float(offsets[component])
        }
      }
    }
    return result
  }

  private static func product(_ matrix: [Double], _ vector: [Double]) -> [Double] {
    let n = vector.count
    return matrix.withUnsafeBufferPointer { matrix in
      (0..<n).map { i in
        let row = matrix.baseAddress! + i * n
        var sum = SIMD4<Double>()
        var j = 0
        while j + 4 <= n {
          sum +=
            SIMD4(row[j], row[j + 1], row[j + 2], row[j + 3])
            * SIMD4(vector[j], vector[j + 1], vector[j + 2], vector[j + 3])
          j += 4
        }
        var tail = 0.0
        while j < n {
          tail += row[j] * vector[j]
          j += 1
        }
        return sum.sum() + tail
      }
    }
  }

  /// Makes the rows orthonormal (modified Gram-Schmidt); returns the sum of the lengths that they had left, which are
  /// the eigenvalues once the iteration has settled.
  @discardableResult
  private static func orthonormalise(_ rows: inout [[Double]]) -> Double {
    var total = 0.0
    for i in rows.indices {
      for j in 0..<i {
        let overlap = zip(rows[i], rows[j]).map { $0 * $1 }.reduce(0, +)
        for c in rows[i].indices { rows[i][c] -= overlap * rows[j][c] }
      }
      let length = rows[i].map { $0 * $0 }.reduce(0, +).squareRoot()
      total += length
      // A direction without variance stays zero.
      let factor = length > 1e-12 * max(1, total) ? 1 / length : 0
      for c in rows[i].indices { rows[i][c] *= factor }
    }
    return total
  }
}
