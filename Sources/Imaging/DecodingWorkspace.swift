import CTurboJPEG

/// Handles and buffers that one thread keeps from picture to picture, so that a picture like the last one takes none.
public final class DecodingWorkspace {
  private var decompressor: tjhandle?
  private var reduction: (options: DecodingOptions, consumer: PictureReduction)?
  private(set) lazy var colours = ColourConverter()
  /// The last JPEG file, and what is kept of it for the next.
  private(set) lazy var jpeg = JPEGSource()
  /// Where results come from.
  let results: RGBImagePool
  let patience: DecodingPatience
  let file = ScratchBuffer()
  private let pixels = ScratchBuffer()
  private let rows = (ScratchBuffer(), ScratchBuffer())
  private let profile = ScratchBuffer()

  /// An empty workspace; it grows with use.
  ///
  /// - Parameter isCancelled: asked now and then while a picture is decoded; once it says true, the picture is given up.
  public convenience init(isCancelled: @escaping () -> Bool = { false }) {
    self.init(results: RGBImagePool(capacity: 0), isCancelled: isCancelled)
  }

  init(results: RGBImagePool, isCancelled: @escaping () -> Bool = { false }) {
    self.results = results
    patience = DecodingPatience(isCancelled: isCancelled)
  }

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

  /// What makes the results of a picture that is decoded with these options.
  func reduction(_ options: DecodingOptions) -> PictureReduction {
    if let reduction, reduction.options == options { return reduction.consumer }
    let consumer = PictureReduction(options: options)
    reduction = (options, consumer)
    return consumer
  }

  /// Uninitialised memory for the pixels of one picture, valid until the next call.
  func pixelBuffer(count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    pixels.bytes(count: count).bindMemory(to: UInt8.self)
  }

  /// Uninitialised memory for a row of a picture that isn't in `pixelBuffer`, valid until the next call.
  func rowBuffer(count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    rows.0.bytes(count: count).bindMemory(to: UInt8.self)
  }

  /// As `rowBuffer`, for a row after it was converted.
  func convertedRowBuffer(count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    rows.1.bytes(count: count).bindMemory(to: UInt8.self)
  }

  /// Uninitialised memory for a profile that is put together, valid until the next call.
  func profileBuffer(count: Int) -> UnsafeMutableRawBufferPointer {
    profile.bytes(count: count)
  }

  /// To be called after each picture.
  func trim() {
    file.trim()
    pixels.trim()
  }
}
