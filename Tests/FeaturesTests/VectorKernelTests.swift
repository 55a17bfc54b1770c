import Compute
import TestSupport
import Testing

@testable import Features

/// The kernels that end in bytes against their Swift definitions.
@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct VectorKernelTests {
  private let device = OpenCLDevice.shared!

  @Test(arguments: KernelTuning.tested)
  func projection(_ tuning: KernelTuning) throws {
    let (inputs, pictures) = (40, 4)
    let projection = try Projection(
      NamedSource(tensors: [
        "mean": Tensor(shape: [inputs], values: randomFloats(inputs, seed: 1).map { abs($0) / Float(inputs) }),
        "components": Tensor(shape: [64, inputs], values: randomFloats(64 * inputs, seed: 2)),
      ]), inputCount: inputs)
    // One descriptor is zero, whose sum may not be divided by, and one isn't finite.
    let descriptors = (0..<pictures).map { picture in
      picture >= 2
        ? [Float](repeating: picture == 2 ? 0 : .infinity, count: inputs)
        : randomFloats(inputs, seed: 3 + UInt64(picture)).map { abs($0) }
    }
    let rows = descriptors.flatMap { $0 + [Float](repeating: 0, count: padded(inputs) - inputs) }
    let bytes = try device.makeBuffer(copying: [UInt8](repeating: 7, count: pictures * 70))
    try ProjectionKernels(projection, device: device, tuning: tuning, capacity: pictures).enqueue(
      pictures: pictures, descriptors: device.makeBuffer(copying: rows), bytes: bytes, byteStride: 70)
    let found = try bytes.read(UInt8.self, count: pictures * 70)
    for (picture, descriptor) in descriptors.enumerated() {
      let row = found[picture * 70..<(picture + 1) * 70]
      expectSameCodes(Array(row.prefix(64)), descriptor.withUnsafeBufferPointer { projection.bytes($0) })
      #expect(row.suffix(6).allSatisfy { $0 == 7 })
    }
  }

  @Test(arguments: KernelTuning.tested, [32, 37, 64])
  func appearanceIsTheSameToTheBit(_ tuning: KernelTuning, size: Int) throws {
    let pictureBytes = size * size * 3
    // Noise, a coarse pattern in which windows have edges, and white, whose sums are the largest.
    let pattern = noise(pictureBytes, seed: 8).enumerated().map {
      $0.element / 4 + ($0.offset / 3 % size < size / 3 ? 190 : 0)
    }
    let pictures = noise(pictureBytes, seed: 9) + pattern + [UInt8](repeating: 255, count: pictureBytes)
    let bytes = try device.makeBuffer(copying: [UInt8](repeating: 7, count: 3 * 60))
    try AppearanceKernels(device: device, tuning: tuning, capacity: 3).enqueue(
      pictures: 3, size: size, input: device.makeBuffer(copying: pictures), bytes: bytes, byteStride: 60, firstByte: 4)
    let found = try bytes.read(UInt8.self, count: 3 * 60)
    for picture in 0..<3 {
      let expected = AppearanceVector.bytes(
        Array(pictures[picture * pictureBytes..<(picture + 1) * pictureBytes]), size: size)
      let row = [UInt8](repeating: 7, count: 4) + expected + [UInt8](repeating: 7, count: 6)
      #expect(Array(found[picture * 60..<(picture + 1) * 60]) == row)
    }
  }
}
