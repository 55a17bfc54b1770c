/// From the network's descriptor to the 64 bytes that are kept of it.
///
/// g = f / sum f;  p = components (g - mean);  u = p / |p|;  byte = clip(round(254 u) + 128, 0, 255)
///
/// One scale serves all components, so that squared differences of bytes are distances. L1 norm before PCA: the Kiano
/// authors found it to raise mean average precision; unit length after it turns Euclidean distance into cosine.
public struct Projection: Sendable, Equatable {
  /// Bytes of a content vector.
  public static let outputCount = 64
  static let scale: Float = 254
  static let offset: Float = 128

  /// Subtracted from the normalised descriptor, [inputCount].
  public let mean: [Float]
  /// The basis by rows, [64, inputCount].
  public let components: [Float]

  /// Values of a descriptor.
  public var inputCount: Int { mean.count }

  init(mean: [Float], components: [Float]) {
    self.mean = mean
    self.components = components
  }

  /// Reads the tensors `mean` [inputCount] and `components` [64, inputCount].
  ///
  /// - Throws: ``ModelFileError`` that names the tensor which is missing or of another shape.
  public init(_ source: some TensorSource, inputCount: Int) throws {
    mean = try source.values("mean", shape: [inputCount])
    components = try source.values("components", shape: [Self.outputCount, inputCount])
  }

  static let meanName = "projection.mean"
  static let componentsName = "projection.components"

  /// Reads the tensors of a projection that is in a network's file.
  init(prefixed source: some TensorSource, inputCount: Int) throws {
    mean = try source.values(Self.meanName, shape: [inputCount])
    components = try source.values(Self.componentsName, shape: [Self.outputCount, inputCount])
  }

  /// A .safetensors file that ``init(_:inputCount:)`` reads.
  public func encoded() -> [UInt8] {
    Safetensors.encoded(
      [
        "mean": Tensor(shape: [inputCount], values: mean),
        "components": Tensor(shape: [Self.outputCount, inputCount], values: components),
      ], metadata: [:])
  }

  /// The unit vector u of a descriptor; zeros where p is zero, or isn't finite.
  ///
  /// - Parameter descriptor: [inputCount], none negative.
  public func unitVector(_ descriptor: UnsafeBufferPointer<Float>) -> [Float] {
    let sum = descriptor.reduce(0, +)
    let scale = sum > 0 ? 1 / sum : 0
    let projected = (0..<Self.outputCount).map { row in
      var total: Float = 0
      for index in 0..<inputCount {
        total += components[row * inputCount + index] * (descriptor[index] * scale - mean[index])
      }
      return total
    }
    let norm = projected.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return norm > 0 && norm.isFinite ? projected.map { $0 / norm } : projected.map { _ in 0 }
  }

  /// The bytes of a descriptor.
  ///
  /// - Parameter descriptor: [inputCount], none negative.
  public func bytes(_ descriptor: UnsafeBufferPointer<Float>) -> [UInt8] {
    unitVector(descriptor).map { UInt8(min(max(($0 * Self.scale).rounded() + Self.offset, 0), 255)) }
  }
}
