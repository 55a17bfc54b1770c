import Compute

/// Whether a network's activations may be kept as halves on a device, which takes half the memory traffic.
///
/// They may where the device says that it has half precision, and the bytes of test pictures are those of floats: 95 in
/// 100 equal, and none off by more than one, as is asked of different devices.
struct HalfStorage {
  let model: ContentModel
  let device: Device

  /// What comparing found.
  struct Parity: Equatable {
    /// The share of equal bytes.
    let equal: Double
    /// The largest difference.
    let largest: Int

    var isEnough: Bool { equal >= 0.95 && largest <= 1 }
  }

  /// The tuning to use: `tuning`, with halves where they may be used.
  func applied(to tuning: KernelTuning) -> KernelTuning {
    guard device.description.kind == .gpu, device.description.extensions.contains("cl_khr_fp16") else { return tuning }
    var halves = tuning
    halves.half = 1
    // Whatever goes wrong here, floats will do or tell.
    guard let parity = try? parity(of: halves, with: tuning), parity.isEnough else { return tuning }
    return halves
  }

  func parity(of halves: KernelTuning, with floats: KernelTuning) throws -> Parity {
    let pictures = Self.pictures(size: model.description.inputSize)
    let (found, expected) = (try vectors(pictures, halves), try vectors(pictures, floats))
    let differences = zip(found, expected).map { abs(Int($0) - Int($1)) }
    return Parity(
      equal: Double(differences.count { $0 == 0 }) / Double(differences.count), largest: differences.max() ?? 0)
  }

  private func vectors(_ pictures: [UInt8], _ tuning: KernelTuning) throws -> [UInt8] {
    let extractor = try OpenCLFeatureExtractor(
      model: model, device: device, batchSize: Self.pictureCount, tuning: tuning)
    return try pictures.withUnsafeBufferPointer { try extractor.vectors($0).content }
  }

  private static let pictureCount = 8

  /// Soft and hard shapes of several colours, and noise.
  private static func pictures(size: Int) -> [UInt8] {
    var generator = SplitMix64(state: 7)
    return (0..<pictureCount).flatMap { number in
      (0..<size * size).flatMap { pixel -> [UInt8] in
        let (x, y) = (pixel % size * 128 / size, pixel / size * 128 / size)
        let noise = Int.random(in: 0...(4 << (number % 4)), using: &generator)
        let disc = (x - 64) * (x - 64) + (y - 50) * (y - 50) < 300 * (number + 1) ? 110 : 0
        let stripes = (x * (number + 1) / 16 + y / 8) % 2 * 40
        return [x + disc + noise, y + stripes + noise, 200 - x / 2 - disc / 2 + noise].map { UInt8(clamping: $0) }
      }
    }
  }
}
