import CTurboJPEG

/// Decodes JPEG files to half their size, straight into a larger picture; for use by one thread.
public final class HalfDecoder {
  private var handle: tjhandle

  /// - Throws: when memory is short.
  public init() throws(ImagingError) {
    guard let handle = tjInitDecompress() else {
      throw ImagingError(path: nil, reason: .unwritable("TurboJPEG can't start; is memory short?"))
    }
    self.handle = handle
  }

  deinit {
    tjDestroy(handle)
  }

  /// - Parameters:
  ///   - width: pixels in a row of the file, an even number.
  ///   - height: rows of the file, an even number.
  ///   - x: where its left edge comes to lie; all of it must fit.
  ///   - y: where its upper edge comes to lie.
  /// - Returns: false where the file is damaged or of another size.
  public func decode(_ file: [UInt8], width: Int, height: Int, into image: inout RGBImage, x: Int, y: Int) -> Bool {
    precondition(x + width / 2 <= image.width && y + height / 2 <= image.height && width % 2 + height % 2 == 0)
    var (fileWidth, fileHeight, sampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let count = UInt(file.count)
    if tjDecompressHeader3(handle, file, count, &fileWidth, &fileHeight, &sampling, &colours) == 0,
      Int(fileWidth) == width, Int(fileHeight) == height
    {
      let stride = image.width * 3
      let status = image.pixels.withUnsafeMutableBufferPointer { pixels in
        tjDecompress2(
          handle, file, count, pixels.baseAddress! + y * stride + x * 3, fileWidth / 2, Int32(stride), fileHeight / 2,
          Int32(TJPF_RGB.rawValue), 0)
      }
      if status == 0 { return true }
    }
    // After an error a handle may be of no use.
    if let fresh = tjInitDecompress() {
      tjDestroy(handle)
      handle = fresh
    }
    return false
  }
}
