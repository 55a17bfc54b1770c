extension Projection {
  /// Learns a projection from a library: the mean of the normalised descriptors, and a basis of the 64 dimensions in
  /// which they differ most.
  ///
  /// The basis is found by orthogonal iteration on the covariance (Golub and Van Loan, "Matrix Computations", section
  /// 7.3.2). It spans the space of the principal components without being turned onto them, which changes neither
  /// distances nor angles. The result is the same in each run.
  ///
  /// - Parameters:
  ///   - descriptors: [count, inputCount], none negative; a thousand or more for a basis that holds for others too.
  ///     Time and memory grow with inputCount squared.
  ///   - inputCount: Values of a descriptor, 64 or more.
  public init(fitting descriptors: [Float], inputCount: Int) {
    precondition(inputCount >= Self.outputCount && descriptors.count.isMultiple(of: inputCount))
    var rows = descriptors
    let count = max(1, rows.count / inputCount)
    rows.withUnsafeMutableBufferPointer { normalize($0, width: inputCount) }
    var mean = [Float](repeating: 0, count: inputCount)
    for index in rows.indices { mean[index % inputCount] += rows[index] / Float(count) }
    for index in rows.indices { rows[index] -= mean[index % inputCount] }

    let covariance = Covariance(rows, width: inputCount)
    var basis = startingBasis(width: inputCount)
    orthonormalize(&basis, width: inputCount)
    for _ in 0..<30 {
      basis = covariance.times(basis)
      orthonormalize(&basis, width: inputCount)
    }
    self.init(mean: mean, components: basis)
  }

  /// A projection that keeps the first 64 values, for a network whose own is yet to be learned.
  ///
  /// - Parameter inputCount: Values of a descriptor, 64 or more.
  public init(keepingFirstOf inputCount: Int) {
    precondition(inputCount >= Self.outputCount)
    self.init(
      mean: [Float](repeating: 0, count: inputCount),
      components: (0..<Self.outputCount * inputCount).map { $0 % inputCount == $0 / inputCount ? 1 : 0 })
  }
}

/// Divides each row by its sum, where that isn't zero.
private func normalize(_ rows: UnsafeMutableBufferPointer<Float>, width: Int) {
  for first in stride(from: 0, to: rows.count, by: width) {
    let row = rows.extracting(first..<first + width)
    let sum = row.reduce(0, +)
    if sum > 0 { for index in row.indices { row[index] /= sum } }
  }
}

/// Rows that look random, as a start that no principal component is orthogonal to.
private func startingBasis(width: Int) -> [Float] {
  var generator = SplitMix64(state: 2)
  return (0..<Projection.outputCount * width).map { _ in Float.random(in: -1...1, using: &generator) }
}

/// Makes the rows orthonormal (modified Gram-Schmidt). Rows that depend on earlier ones become zero.
private func orthonormalize(_ rows: inout [Float], width: Int) {
  rows.withUnsafeMutableBufferPointer { rows in
    for index in 0..<rows.count / width {
      let row = rows.extracting(index * width..<(index + 1) * width)
      let length = dot(UnsafeBufferPointer(row), UnsafeBufferPointer(row)).squareRoot()
      // Twice, since rounding leaves much of a row that is nearly dependent.
      for earlier in [0, 1].flatMap({ _ in 0..<index }) {
        let other = UnsafeBufferPointer(rows.extracting(earlier * width..<(earlier + 1) * width))
        let projection = dot(UnsafeBufferPointer(row), other)
        for position in row.indices { row[position] -= projection * other[position] }
      }
      let rest = dot(UnsafeBufferPointer(row), UnsafeBufferPointer(row)).squareRoot()
      let scale = rest > 1e-5 * length ? 1 / rest : 0
      for position in row.indices { row[position] *= scale }
    }
  }
}

/// The covariance of centred rows, scaled to a largest element of one, so that its powers stay in range.
private struct Covariance {
  /// [width, width]
  private var values: [Float]
  private let width: Int

  init(_ rows: [Float], width: Int) {
    self.width = width
    values = [Float](repeating: 0, count: width * width)
    rows.withUnsafeBufferPointer { rows in
      values.withUnsafeMutableBufferPointer { values in
        for first in stride(from: 0, to: rows.count, by: width) {
          let row = rows.extracting(first..<first + width)
          for i in 0..<width where row[i] != 0 {
            add(row, times: row[i], to: values.extracting(i * width..<(i + 1) * width))
          }
        }
      }
    }
    let largest = values.lazy.map(abs).max() ?? 0
    if largest > 0 { for index in values.indices { values[index] /= largest } }
  }

  /// Each row of `basis` times the matrix.
  func times(_ basis: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: basis.count)
    basis.withUnsafeBufferPointer { basis in
      values.withUnsafeBufferPointer { values in
        for row in 0..<basis.count / width {
          result.withUnsafeMutableBufferPointer { result in
            let target = result.extracting(row * width..<(row + 1) * width)
            for i in 0..<width {
              add(values.extracting(i * width..<(i + 1) * width), times: basis[row * width + i], to: target)
            }
          }
        }
      }
    }
    return result
  }
}

func dot(_ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>) -> Float {
  var sum = SIMD8<Float>()
  let whole = a.count / 8 * 8
  for index in stride(from: 0, to: whole, by: 8) {
    sum +=
      UnsafeRawPointer(a.baseAddress! + index).loadUnaligned(as: SIMD8<Float>.self)
      * UnsafeRawPointer(b.baseAddress! + index).loadUnaligned(as: SIMD8<Float>.self)
  }
  return (whole..<a.count).reduce(sum.sum()) { $0 + a[$1] * b[$1] }
}

/// target += factor row
@inline(__always)
private func add(_ row: UnsafeBufferPointer<Float>, times factor: Float, to target: UnsafeMutableBufferPointer<Float>) {
  let (source, destination) = (row.baseAddress!, target.baseAddress!)
  for index in 0..<row.count { destination[index] += factor * source[index] }
}
