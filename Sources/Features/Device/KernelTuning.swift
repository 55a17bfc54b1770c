import Compute
import Foundation

/// How the network runs on a device, and tile and group sizes of the kernels; the head of each `.cl` file says what they
/// mean.
struct KernelTuning: Sendable, Equatable, Codable {
  /// Whether each core takes one picture through all layers, 0 or 1; else all pictures go through layer by layer.
  var whole: Int
  /// Pixels that are computed together in the 1x1 convolution; where pictures go through as a whole, in the first layer
  /// too.
  var rows: Int
  /// Vectors of 16 channels that are computed together for them, where pictures go through as a whole.
  var vectors = 1
  /// Channels that a work item computes, layer by layer; divides 16.
  var lanes: Int
  /// Outputs of a row that are computed together in a 3x3 convolution.
  var columns: Int
  /// Work items of a group along vectors of channels. `16 / lanes` fills groups at any number of channels.
  var groupX: Int
  /// Work items of a group of the 1x1 convolution along pixels.
  var groupPixels: Int
  /// Work items of a group of the 3x3 convolutions along columns and rows.
  var groupColumns: Int
  var groupRows: Int
  /// Work items of a group where nothing but their number matters; divides 64.
  var group: Int
  /// Pictures that go through a layer together.
  var picturesPerPass: Int
  /// Whether activations are kept as halves, 0 or 1: see ``HalfStorage``.
  var half = 0

  /// Whole pictures keep floats, in a core's caches.
  var takesWholePictures: Bool { whole == 1 && half == 0 }

  /// Processors with 32 registers of 16 floats (AVX-512): tiles of 16 sums.
  static let wideCPU = KernelTuning(
    whole: 1, rows: 8, vectors: 2, lanes: 16, columns: 4, groupX: 1, groupPixels: 4, groupColumns: 1, groupRows: 4,
    group: 4, picturesPerPass: 16)
  /// Other processors: tiles of 6 vectors, which are 12 registers of 8 floats (AVX), or 24 of 4 (NEON).
  static let cpu = KernelTuning(
    whole: 1, rows: 6, vectors: 1, lanes: 16, columns: 2, groupX: 1, groupPixels: 4, groupColumns: 1, groupRows: 4,
    group: 4, picturesPerPass: 16)
  /// 16-byte loads, small register tiles, many work items.
  static let gpu = KernelTuning(
    whole: 0, rows: 4, lanes: 4, columns: 1, groupX: 4, groupPixels: 16, groupColumns: 4, groupRows: 4, group: 64,
    picturesPerPass: 32)

  /// The values for a device: those that `bench --tune` found, else those of its kind.
  static func standard(for device: DeviceDescription) -> KernelTuning {
    if let kept = parameters(of: device).kept, let tuning = try? JSONDecoder().decode(Self.self, from: Data(kept)) {
      return tuning
    }
    return untuned(for: device)
  }

  /// Keeps these values for a device.
  /// - Returns: whether that was possible.
  func keep(for device: DeviceDescription) -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { return false }
    return Self.parameters(of: device).keep([UInt8](data))
  }

  /// Forgets what was kept for a device.
  static func forget(for device: DeviceDescription) { parameters(of: device).forget() }

  private static func parameters(of device: DeviceDescription) -> TunedParameters {
    TunedParameters(
      "features", kernels: ["whole_network", "stem", "convolution_1x1", "depthwise_3x3"],
      of: device)
  }

  /// The values for a device of this kind.
  static func untuned(for device: DeviceDescription) -> KernelTuning {
    device.kind != .cpu ? .gpu : device.floatLanes >= NetworkLayer.lanes ? .wideCPU : .cpu
  }
}

/// `count` items in groups of `size`.
func groupCount(_ count: Int, _ size: Int) -> Int { (count + size - 1) / size }

extension NetworkLayer {
  /// The bounds that outputs are clamped to; infinite where they aren't.
  var bounds: (low: KernelArgument, high: KernelArgument) {
    isClamped ? (.float(0), .float(6)) : (.float(-.infinity), .float(.infinity))
  }
}

extension KernelArgument {
  static func int(_ value: Int) -> KernelArgument { .int(Int32(value)) }
}
