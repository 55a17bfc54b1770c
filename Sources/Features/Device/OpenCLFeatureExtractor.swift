import Compute
import Foundation

/// Computes feature vectors on an OpenCL device.
///
/// One extractor has the memory for one batch, so calls from several threads take turns; two extractors of one device
/// let one batch be uploaded while another is computed.
public final class OpenCLFeatureExtractor: FeatureExtractor {
  /// The model that content vectors come from.
  public let model: ContentModel
  private let batch: DeviceBatch
  private let lock = NSLock()

  /// Pictures that are computed together; less than was asked for where the device has little memory.
  public var batchSize: Int { batch.capacity }

  /// An extractor on a device.
  ///
  /// - Parameters:
  ///   - model: Where content vectors come from.
  ///   - device: The device.
  ///   - batchSize: Pictures to be computed together; halved until the device has memory for them.
  /// - Throws: `ComputeError` where a kernel doesn't build, or there isn't memory for one picture.
  public convenience init(model: ContentModel = .kiano, device: Device, batchSize: Int = 32) throws {
    let tuning = HalfStorage(model: model, device: device).applied(to: .standard(for: device.description))
    try self.init(model: model, device: device, batchSize: batchSize, tuning: tuning)
  }

  init(model: ContentModel, device: Device, batchSize: Int, tuning: KernelTuning) throws {
    precondition(batchSize > 0)
    self.model = model
    batch = try DeviceBatch.largest(model, device: device, tuning: tuning, capacity: batchSize)
  }

  /// The content and appearance vectors of pictures, [count, inputSize, inputSize, 3].
  ///
  /// - Throws: `ComputeError` where the device fails.
  public func vectors(_ pictures: UnsafeBufferPointer<UInt8>) throws -> FeatureVectors {
    try compute(pictures, vectors: true, descriptors: false).vectors
  }

  /// The network's descriptors of pictures, [count, outputCount].
  ///
  /// - Throws: `ComputeError` where the device fails.
  public func descriptors(_ pictures: UnsafeBufferPointer<UInt8>) throws -> [Float] {
    try compute(pictures, vectors: false, descriptors: true).descriptors
  }

  /// Vectors and descriptors of pictures.
  ///
  /// - Throws: `ComputeError` where the device fails.
  public func vectorsAndDescriptors(
    _ pictures: UnsafeBufferPointer<UInt8>
  ) throws -> (vectors: FeatureVectors, descriptors: [Float]) {
    try compute(pictures, vectors: true, descriptors: true)
  }

  /// What is wanted of both; the other is empty.
  private func compute(
    _ pictures: UnsafeBufferPointer<UInt8>, vectors wantsVectors: Bool, descriptors wantsDescriptors: Bool
  ) throws -> (vectors: FeatureVectors, descriptors: [Float]) {
    var (vectors, descriptors) = (FeatureVectors(content: [], appearance: []), [Float]())
    let (channels, stride) = (model.description.outputCount, padded(model.description.outputCount))
    try forEachBatch(pictures) { count in
      try batch.network.enqueue(count: count, input: batch.pictures, descriptors: batch.descriptors)
      if wantsVectors {
        try batch.projection.enqueue(
          pictures: count, descriptors: batch.descriptors, bytes: batch.bytes, byteStride: FeatureVectors.byteCount)
        try batch.appearance.enqueue(
          pictures: count, size: model.description.inputSize, input: batch.pictures, bytes: batch.bytes,
          byteStride: FeatureVectors.byteCount, firstByte: Projection.outputCount)
        vectors.append(rows: try batch.bytes.read(UInt8.self, count: count * FeatureVectors.byteCount))
      }
      if wantsDescriptors {
        let values = try batch.descriptors.read(Float.self, count: count * stride)
        for picture in 0..<count { descriptors += values[picture * stride..<picture * stride + channels] }
      }
    }
    return (vectors, descriptors)
  }

  /// The outputs of the layer called `name`, [count, outputSize, outputSize, outputs].
  func activations(_ pictures: UnsafeBufferPointer<UInt8>, after name: String) throws -> [Float] {
    var activations: [Float] = []
    guard let index = model.description.layers.firstIndex(where: { $0.name == name }) else { return [] }
    let layer = model.description.layers[index]
    try forEachBatch(pictures) { count in
      let values = try batch.network.outputs(ofLayer: index, count: count, input: batch.pictures)
      for pixel in 0..<count * layer.outputPixels {
        activations += values[pixel * layer.paddedOutputs..<pixel * layer.paddedOutputs + layer.outputs]
      }
    }
    return activations
  }

  /// Uploads pictures a batch at a time and calls `body` with how many they are.
  private func forEachBatch(_ pictures: UnsafeBufferPointer<UInt8>, _ body: (Int) throws -> Void) throws {
    let total = pictureCount(pictures)
    try lock.withLock {
      for first in stride(from: 0, to: total, by: batch.capacity) {
        let count = min(batch.capacity, total - first)
        let bytes = pictures[first * pictureByteCount..<(first + count) * pictureByteCount]
        try batch.pictures.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes)))
        try body(count)
      }
    }
  }
}
