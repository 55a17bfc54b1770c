/// How long a picture may take; for use by one thread.
///
/// Codecs that hand their picture over in parts ask between those. A part is as much as the library decodes in one call,
/// which nothing stops: a whole picture of JPEG and HEIF, 64 KiB of WebP data, a strip of TIFF, a row of others.
final class DecodingPatience {
  /// How often it is asked whether the picture is still wanted.
  private static let interval = Duration.milliseconds(50)

  private let isCancelled: () -> Bool
  private var limit = 0.0
  private var deadline: ContinuousClock.Instant?
  private var nextQuestion = ContinuousClock.now

  init(isCancelled: @escaping () -> Bool = { false }) {
    self.isCancelled = isCancelled
  }

  /// Begins to count.
  ///
  /// - Parameter seconds: 0 for no limit.
  func begin(seconds: Double) {
    let now = ContinuousClock.now
    limit = seconds
    deadline = seconds > 0 ? now + .seconds(seconds) : nil
    nextQuestion = now + Self.interval
  }

  /// To be called between the parts of a picture.
  ///
  /// - Throws: when the time is up, or nobody wants the picture any more.
  func check() throws(ImagingError.Reason) {
    let now = ContinuousClock.now
    if let deadline, now >= deadline { throw .tooSlow(seconds: limit) }
    if now < nextQuestion { return }
    nextQuestion = now + Self.interval
    if isCancelled() { throw .cancelled }
  }
}
