/// Computes the vectors of pictures; in plain Swift and in OpenCL.
public protocol FeatureExtractor: Sendable {
  /// The model that content vectors come from.
  var model: ContentModel { get }

  /// The content and appearance vectors of pictures.
  ///
  /// - Parameter pictures: [count, inputSize, inputSize, 3], RGB; count from the size of the buffer, any number.
  /// - Throws: An error of the device; the plain extractor throws none.
  func vectors(_ pictures: UnsafeBufferPointer<UInt8>) throws -> FeatureVectors

  /// The network's descriptors before the projection, [count, outputCount]; a projection is learned from them.
  ///
  /// - Parameter pictures: As for ``vectors(_:)``.
  /// - Throws: An error of the device; the plain extractor throws none.
  func descriptors(_ pictures: UnsafeBufferPointer<UInt8>) throws -> [Float]

  /// Both, from one run of the network.
  ///
  /// - Parameter pictures: As for ``vectors(_:)``.
  /// - Throws: An error of the device; the plain extractor throws none.
  func vectorsAndDescriptors(
    _ pictures: UnsafeBufferPointer<UInt8>
  ) throws -> (vectors: FeatureVectors, descriptors: [Float])
}

extension FeatureExtractor {
  /// Bytes of one picture.
  public var pictureByteCount: Int { model.description.inputSize * model.description.inputSize * 3 }

  /// The number of pictures in a buffer, which must hold whole ones.
  func pictureCount(_ pictures: UnsafeBufferPointer<UInt8>) -> Int {
    precondition(pictures.count.isMultiple(of: pictureByteCount), "the buffer must hold whole pictures")
    return pictures.count / pictureByteCount
  }
}
