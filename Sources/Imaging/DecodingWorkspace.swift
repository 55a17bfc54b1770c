import CTurboJPEG

/// Handles and buffers that one thread keeps from picture to picture.
public final class DecodingWorkspace {
  private var decompressor: tjhandle?
  private(set) lazy var colours = ColourConverter()
  let file = ScratchBuffer()
  private let pixels = ScratchBuffer()

  /// An empty workspace; it grows with use.
  public init() {}

  deinit {
    if let decompressor { tjDestroy(decompressor) }
  }

  /// TurboJPEG's handle; nil when memory is short.
  func turboJPEG() -> tjhandle? {
    if decompressor == nil { decompressor = tjInitDecompress() }
    return decompressor
  }

  /// To be called after an error of TurboJPEG's: 2.1 doesn't always leave a handle in a state in which the next picture
  /// can be decoded.
  func dropTurboJPEG() {
    if let decompressor { tjDestroy(decompressor) }
    decompressor = nil
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
