import Compute
import Foundation

/// Tile and group sizes of the kernels; the head of each `.cl` file says what they mean.
struct KernelTuning: Sendable, Equatable, Codable {
  /// Pixels that a work item of the 1x1 convolution computes.
  var rows: Int
  /// Channels that a work item computes; divides 16.
  var lanes: Int
  /// Outputs of a row that a work item of a 3x3 convolution computes.
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
  /// Pictures that go through the network together: few where activations should stay in a processor's cache, many
  /// where small layers should fill a GPU.
  var picturesPerPass: Int
  /// Whether activations are kept as halves, 0 or 1: see ``HalfStorage``.
  var half = 0

  /// Vectors of AVX-512 or NEON pairs, large register tiles, few work items.
  static let cpu = KernelTuning(
    rows: 6, lanes: 16, columns: 16, groupX: 1, groupPixels: 4, groupColumns: 1, groupRows: 4, group: 4,
    picturesPerPass: 16)
  /// 16-byte loads, small register tiles, many work items.
  static let gpu = KernelTuning(
    rows: 4, lanes: 4, columns: 1, groupX: 4, groupPixels: 16, groupColumns: 4, groupRows: 4, group: 64,
    picturesPerPass: 32)

  /// The values for a device: those that `bench --tune` found, else those of its kind.
  static func standard(for device: DeviceDescription) -> KernelTuning {
    if let kept = parameters(of: device).kept, let tuning = try? JSONDecoder().decode(Self.self, from: Data(kept)) {
      return tuning
    }
    return standard(for: device.kind)
  }

  /// Keeps these values for a device.
  /// - Returns: whether that was possible.
  func keep(for device: DeviceDescription) -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { return false }
    return Self.parameters(of: device).keep([UInt8](data))
  }

  private static func parameters(of device: DeviceDescription) -> TunedParameters {
    TunedParameters("features", kernels: ["activations", "stem", "convolution_1x1", "depthwise_3x3"], of: device)
  }

  /// The values for a kind of device.
  static func standard(for kind: DeviceDescription.Kind) -> KernelTuning {
    kind == .cpu ? .cpu : .gpu
  }
}

extension KernelSource {
  /// A kernel of the network.
  static func network(_ name: String) -> KernelSource { .embedded(name, behind: "activations") }
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
