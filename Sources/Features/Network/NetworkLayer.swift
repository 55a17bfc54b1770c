/// One convolution of the network, with its bias, clamp and residual.
///
/// Activations are [height, width, channels] with the channels padded to a multiple of 16 (``paddedInputs``,
/// ``paddedOutputs``), so that 16 of them are always one aligned vector; the padding holds zeros. They live in
/// ``bufferCount`` buffers: a layer reads ``inputBuffer`` and ``residualBuffer`` and writes ``outputBuffer``.
public struct NetworkLayer: Sendable, Equatable {
  /// The kinds of convolution that MobileNetV2 is made of.
  public enum Operation: Sendable, Equatable {
    /// All channels of 3x3 pixels; reads the scaled picture, so it is the first layer.
    case convolution3x3
    /// All channels of one pixel.
    case convolution1x1
    /// One channel of 3x3 pixels.
    case depthwise3x3
  }

  /// Buffers that the activations take turns in: a block's input, kept for the residual, and two to go back and forth.
  static let bufferCount = 3
  /// Channels per vector.
  static let lanes = 16

  /// "stem", "blocks.00.depthwise", ..., "last": the name of its tensors.
  public let name: String
  /// Its kind.
  public let operation: Operation
  /// Channels read.
  public let inputs: Int
  /// Channels written.
  public let outputs: Int
  /// Side of the square input in pixels.
  public let inputSize: Int
  /// Step between outputs, 1 or 2 pixels.
  public let stride: Int
  /// Rows of zeros above the input, and columns to its left; what lies beyond the other two sides is zero too.
  public let paddingBefore: Int
  /// Whether outputs are clamped to 0...6 (ReLU6).
  public let isClamped: Bool

  let inputBuffer: Int
  let outputBuffer: Int
  let residualBuffer: Int?

  /// Side of the square output in pixels.
  public var outputSize: Int { (inputSize + stride - 1) / stride }
  /// Pixels of the output.
  var outputPixels: Int { outputSize * outputSize }
  var paddedInputs: Int { padded(inputs) }
  var paddedOutputs: Int { padded(outputs) }

  /// Weights per output channel.
  var taps: Int {
    switch operation {
    case .convolution3x3: 9 * inputs
    case .convolution1x1: inputs
    case .depthwise3x3: 9
    }
  }

  /// Multiply-adds for one picture.
  public var multiplyAdds: Int { outputPixels * outputs * taps }
}

/// `channels` rounded up to whole vectors.
func padded(_ channels: Int) -> Int {
  (channels + NetworkLayer.lanes - 1) / NetworkLayer.lanes * NetworkLayer.lanes
}
