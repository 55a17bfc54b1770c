/// MobileNetV2 as data: what both implementations are built from, and what weights are checked against.
///
/// Source: Sandler et al. 2018, "MobileNetV2: Inverted Residuals and Linear Bottlenecks", table 2.
public struct NetworkDescription: Sendable, Equatable {
  /// Where the zeros around the input of a 3x3 convolution go.
  public enum Padding: String, Sendable, Codable {
    /// One row and column on every side, at any stride (PyTorch's `padding=1`).
    case symmetric
    /// TensorFlow's "SAME": as little as gives ceil(size / stride) outputs, the odd one at the bottom and right.
    case tensorFlowSame
  }

  /// How a colour value in 0...1 becomes an input of the network: (value - mean) / deviation, per channel R, G, B.
  public struct InputScaling: Sendable, Equatable, Codable {
    /// Subtracted, per channel.
    public var mean: [Float]
    /// Divided by, per channel.
    public var deviation: [Float]

    /// A scaling by three means and three deviations.
    public init(mean: [Float], deviation: [Float]) {
      precondition(mean.count == 3 && deviation.count == 3)
      self.mean = mean
      self.deviation = deviation
    }

    /// The mean and deviation of ImageNet, as torchvision's networks want them.
    public static let imageNet = InputScaling(mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225])
    /// 0...1, as it is.
    public static let unit = InputScaling(mean: [0, 0, 0], deviation: [1, 1, 1])
    /// -1...1, as TensorFlow's networks want it.
    public static let signed = InputScaling(mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5])
  }

  /// Sides that a network's input may have: those that weights are published for, which five halvings leave whole pixels
  /// of.
  public static let inputSizes = [96, 128, 160, 192, 224]

  /// Factor on the channels of every layer; those are then rounded to a multiple of 8.
  public let widthMultiplier: Double
  /// Side of the square input in pixels.
  public let inputSize: Int
  /// Padding of the 3x3 convolutions.
  public let padding: Padding
  /// Scaling of the input; the padding's zeros come after it.
  public let scaling: InputScaling
  /// The layers in the order in which they run.
  public let layers: [NetworkLayer]

  /// The number of values of the descriptor: channels of the last layer.
  public var outputCount: Int { layers[layers.count - 1].outputs }

  /// Multiply-adds for one picture.
  public var multiplyAdds: Int { layers.reduce(0) { $0 + $1.multiplyAdds } }

  /// MobileNetV2 of a width and an input size.
  ///
  /// - Parameters:
  ///   - widthMultiplier: 0.5 for the built-in weights; above 0.
  ///   - inputSize: Side of the square input in pixels, 32 or more.
  public init(widthMultiplier: Double, inputSize: Int, padding: Padding, scaling: InputScaling) {
    precondition(inputSize >= 32, "five halvings leave nothing of \(inputSize) pixels")
    self.widthMultiplier = widthMultiplier
    self.inputSize = inputSize
    self.padding = padding
    self.scaling = scaling
    layers = Self.layers(widthMultiplier: widthMultiplier, inputSize: inputSize, padding: padding)
  }

  /// The network of the weights that the program carries.
  public static let kiano = NetworkDescription(
    widthMultiplier: 0.5, inputSize: 128, padding: .symmetric, scaling: .imageNet)
}

extension NetworkDescription {
  /// Rows of table 2: expansion t, channels c, repetitions n, stride s of the first.
  private static let stages: [(expansion: Int, channels: Int, repetitions: Int, stride: Int)] = [
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
  ]

  private static func layers(widthMultiplier: Double, inputSize: Int, padding: Padding) -> [NetworkLayer] {
    var builder = LayerBuilder(size: inputSize, channels: 3, padding: padding)
    builder.append("stem", .convolution3x3, outputs: channels(32, widthMultiplier), stride: 2)
    var block = 0
    for stage in stages {
      for repetition in 0..<stage.repetitions {
        builder.appendBlock(
          name: block < 10 ? "blocks.0\(block)" : "blocks.\(block)", expansion: stage.expansion,
          outputs: channels(stage.channels, widthMultiplier), stride: repetition == 0 ? stage.stride : 1)
        block += 1
      }
    }
    // Narrow networks keep the full last layer, as the published checkpoints do.
    builder.append("last", .convolution1x1, outputs: channels(1280, max(1, widthMultiplier)))
    return builder.layers
  }

  /// `count` times the multiplier, rounded to a multiple of 8 without losing more than a tenth (`_make_divisible` in
  /// the authors' code).
  private static func channels(_ count: Int, _ multiplier: Double) -> Int {
    let exact = Double(count) * multiplier
    let rounded = max(8, Int(exact + 4) / 8 * 8)
    return Double(rounded) < 0.9 * exact ? rounded + 8 : rounded
  }
}

/// Appends layers, each of which reads what the one before it wrote.
private struct LayerBuilder {
  var layers: [NetworkLayer] = []
  var size: Int
  var channels: Int
  let padding: NetworkDescription.Padding
  /// The buffer that holds the newest activations.
  var newest = 0

  init(size: Int, channels: Int, padding: NetworkDescription.Padding) {
    self.size = size
    self.channels = channels
    self.padding = padding
  }

  mutating func append(
    _ name: String, _ operation: NetworkLayer.Operation, outputs: Int, stride: Int = 1, isClamped: Bool = true,
    residual: Int? = nil, keeping kept: Int? = nil
  ) {
    let target = (0..<NetworkLayer.bufferCount).first { $0 != newest && $0 != kept }!
    layers.append(
      NetworkLayer(
        name: name, operation: operation, inputs: channels, outputs: outputs, inputSize: size, stride: stride,
        paddingBefore: paddingBefore(stride: stride), isClamped: isClamped, inputBuffer: newest, outputBuffer: target,
        residualBuffer: residual))
    newest = target
    channels = outputs
    size = (size + stride - 1) / stride
  }

  /// An inverted residual: expand, depthwise, project.
  mutating func appendBlock(name: String, expansion: Int, outputs: Int, stride: Int) {
    let blockInput = newest
    let residual = stride == 1 && channels == outputs ? blockInput : nil
    if expansion > 1 {
      append(name + ".expand", .convolution1x1, outputs: channels * expansion, keeping: blockInput)
    }
    append(name + ".depthwise", .depthwise3x3, outputs: channels, stride: stride, keeping: blockInput)
    append(
      name + ".project", .convolution1x1, outputs: outputs, isClamped: false, residual: residual, keeping: residual)
  }

  private func paddingBefore(stride: Int) -> Int {
    switch padding {
    case .symmetric: 1
    case .tensorFlowSame: max(((size + stride - 1) / stride - 1) * stride + 3 - size, 0) / 2
    }
  }
}
