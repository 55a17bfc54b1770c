import CJPEG

/// Encodes thumbnails as JPEG files that can be joined: 4:2:0, with a restart marker after each row of blocks, which makes
/// them a hundredth larger. For use by one thread.
public final class ThumbnailEncoder {
  /// libjpeg's quality, 1...100.
  public static let quality = 85

  private let encoder: OpaquePointer

  /// - Throws: when memory is short.
  public init() throws(ImagingError) {
    guard let encoder = kiano_jpeg_encoder_create() else { throw Self.shortage }
    self.encoder = encoder
  }

  deinit {
    kiano_jpeg_encoder_destroy(encoder)
  }

  /// The bytes of a JPEG file of `image`.
  public func encode(_ image: RGBImage) throws(ImagingError) -> [UInt8] {
    var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
    let status = image.pixels.withUnsafeBufferPointer { pixels in
      kiano_jpeg_encoder_encode(
        encoder, pixels.baseAddress!, Int32(image.width), Int32(image.height), Int32(Self.quality), &bytes, &count)
    }
    guard status == 0, let bytes else { throw Self.shortage }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private static let shortage = ImagingError(path: nil, reason: .unwritable("libjpeg failed; is memory short?"))
}
