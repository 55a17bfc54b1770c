import Features
import Imaging

extension LibraryIndex {
  /// The projection that the library has learned; nil where vectors are of the network's own.
  public var learnedProjection: Projection? {
    get throws(IndexError) {
      let statement = try statement("SELECT value FROM setting WHERE name = 'projection'")
      defer { statement.end() }
      try statement.start([])
      guard try statement.step() else { return nil }
      let bytes = statement.bytes(0)
      let (file, checksum) = (Array(bytes.dropLast(8)), bytes.suffix(8))
      guard Self.checksum(of: file).elementsEqual(checksum), let tensors = try? Safetensors(parsing: file),
        let width = tensors.shape("mean")?.first, let projection = try? Projection(tensors, inputCount: width)
      else { throw damaged("the projection of its vectors is another than was written") }
      return projection
    }
  }

  /// Keeps a projection for all vectors to come. There must be none of another.
  public func remember(_ projection: Projection) throws(IndexError) {
    let file = projection.encoded()
    try set("projection", .blob(file + Self.checksum(of: file)))
  }

  /// Stands for all that vectors of this index depend on.
  public var vectorIdentity: String {
    get throws(IndexError) {
      let learned = try learnedProjection.map { Self.checksum(of: $0.encoded()) } ?? []
      return "\(try model ?? "")+\(learned)"
    }
  }

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    let hash = bytes.withUnsafeBytes { ContentHash(of: $0) }
    return withUnsafeBytes(of: hash.low.littleEndian) { Array($0) }
  }
}
