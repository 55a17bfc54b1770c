/// A dense array of floats in row-major order.
public struct Tensor: Sendable, Equatable {
  /// The extent of each dimension, slowest first.
  public let shape: [Int]
  /// The elements; as many as the product of `shape`.
  public let values: [Float]

  /// A tensor of `shape` with `values` in row-major order.
  public init(shape: [Int], values: [Float]) {
    precondition(shape.reduce(1, *) == values.count, "a tensor of shape \(shape) doesn't have \(values.count) values")
    self.shape = shape
    self.values = values
  }
}

/// A file of named tensors.
public protocol TensorSource {
  /// The names in the file, sorted.
  var names: [String] { get }

  /// The extents of the tensor of that name, or nothing where there is none.
  func shape(_ name: String) -> [Int]?

  /// The tensor of that name as floats.
  ///
  /// - Throws: ``ModelFileError`` that names the tensor.
  func tensor(_ name: String) throws -> Tensor
}

extension TensorSource {
  /// The values of the tensor of that name, which must have the shape `shape` and be finite.
  ///
  /// - Throws: ``ModelFileError`` that names the tensor.
  func values(_ name: String, shape: [Int]) throws -> [Float] {
    let tensor = try tensor(name)
    guard tensor.shape == shape else {
      throw ModelFileError.wrongShape(name, found: tensor.shape, expected: shape)
    }
    return try tensor.finiteValues(name)
  }
}

extension Tensor {
  /// The values.
  ///
  /// - Parameter name: The tensor's name.
  /// - Throws: ``ModelFileError/notFinite(_:)`` where one is infinite, or no number.
  func finiteValues(_ name: String) throws -> [Float] {
    guard values.allSatisfy(\.isFinite) else { throw ModelFileError.notFinite(name) }
    return values
  }
}

/// The product of `shape`, or nothing where a dimension is negative or the product doesn't fit.
func elementCount(_ shape: [Int]) -> Int? {
  var count = 1
  for extent in shape {
    let (product, overflow) = count.multipliedReportingOverflow(by: extent)
    guard extent >= 0, !overflow else { return nil }
    count = product
  }
  return count
}
