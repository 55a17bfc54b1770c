import CTurboJPEG

/// Handles and buffers that one thread keeps from picture to picture.
public final class DecodingWorkspace {
  private(set) lazy var turboJPEG: tjhandle? = tjInitDecompress()
  private(set) lazy var colours = ColourConverter()
  let file = ScratchBuffer()
  private let pixels = ScratchBuffer()

  /// An empty workspace; it grows with use.
  public init() {}

  deinit {
    if let turboJPEG { tjDestroy(turboJPEG) }
  }

  /// Uninitialised memory for the pixels of one picture, valid until the next call.
  func pixelBuffer(count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    pixels.bytes(count: count).bindMemory(to: UInt8.self)
  }

  /// To be called after each picture.
  func trim() {
    file.trim()
    pixels.trim()
  }
}
