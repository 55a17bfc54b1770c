import CTurboJPEG

/// Encodes pictures as baseline JPEG, 4:2:0, one after the other; for use by one thread.
public final class JPEGEncoder {
  /// libjpeg's quality, 1...100.
  public let quality: Int

  private let handle: tjhandle
  private let buffer = ScratchBuffer()

  /// - Throws: when memory is short.
  public init(quality: Int = 85) throws(ImagingError) {
    precondition((1...100).contains(quality), "JPEG quality is 1...100")
    guard let handle = tjInitCompress() else {
      throw ImagingError(path: nil, reason: .unwritable("TurboJPEG can't start; is memory short?"))
    }
    self.handle = handle
    self.quality = quality
  }

  deinit {
    tjDestroy(handle)
  }

  /// The bytes of a JPEG file of `image`.
  ///
  /// - Throws: for sizes that JPEG can't have: sides are 1...65,500 pixels.
  public func encode(_ image: RGBImage) throws(ImagingError) -> [UInt8] {
    guard (1...65_500).contains(image.width), (1...65_500).contains(image.height) else {
      throw ImagingError(path: nil, reason: .unwritable("JPEG can't hold \(image.width) x \(image.height) pixels"))
    }
    let sampling = Int32(TJSAMP_420.rawValue)
    let room = buffer.bytes(count: Int(tjBufSize(Int32(image.width), Int32(image.height), sampling)))
    defer { buffer.trim() }
    var target = room.bindMemory(to: UInt8.self).baseAddress
    var count = UInt(room.count)
    let status = image.pixels.withUnsafeBufferPointer { pixels in
      tjCompress2(
        handle, pixels.baseAddress, Int32(image.width), 0, Int32(image.height), Int32(TJPF_RGB.rawValue), &target,
        &count, sampling, Int32(quality), TJFLAG_NOREALLOC)
    }
    guard status == 0 else {
      throw ImagingError(path: nil, reason: .unwritable(String(cString: tjGetErrorStr2(handle))))
    }
    return Array(room[..<Int(count)])
  }
}
