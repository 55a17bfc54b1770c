import Foundation
import Synchronization

/// Decodes many files on several threads of its own and hands the results over in order.
///
/// The pixels of a result are used again after the consumer has seen it: one that keeps them copies them without knowing.
public struct ParallelDecoder: Sendable {
  /// Decodes each file.
  public let decoder: PictureDecoder
  /// Where files are decoded: nil for the threads themselves.
  public let isolation: DecoderIsolation?
  /// How many files are decoded at the same time.
  public let threadCount: Int
  /// How many files may be decoded, or being decoded, and not handed over yet. When the consumer is slower than the
  /// decoders, they wait; memory is bounded by this many results of about 100 KB.
  public let window: Int

  /// - Parameters:
  ///   - decoder: decodes each file.
  ///   - isolation: nil to decode in this process, where a codec that crashes takes all with it.
  ///   - threadCount: one for each available processor by default.
  ///   - window: 16 for each thread by default; a slow picture holds the others up only when that many are waiting.
  public init(
    decoder: PictureDecoder = PictureDecoder(), isolation: DecoderIsolation? = nil,
    threadCount: Int = AvailableProcessors.count, window: Int? = nil
  ) {
    precondition(threadCount > 0, "decoding needs a thread")
    self.decoder = decoder
    self.isolation = isolation
    self.threadCount = threadCount
    self.window = max(threadCount, window ?? 16 * threadCount)
  }

  /// Decodes all files. Blocks the calling thread, on which `consume` runs too; not to be called from an async task.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - isCancelled: asked before each picture and now and then within one, from several threads; once it says true, no
  ///     further picture is begun or handed over.
  ///   - consume: takes each file's place in `paths` and its picture or error, in the order of `paths`. An error that
  ///     it throws ends the work.
  /// - Returns: how many files were handed over; fewer than `paths` has only when cancelled.
  /// - Throws: what `consume` throws.
  @discardableResult
  public func decode<Failure: Error>(
    _ paths: [BytePath], isCancelled: @escaping @Sendable () -> Bool = { false },
    consume: (Int, Result<DecodedPicture, ImagingError>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let queue = DecodingQueue(
      paths: paths, decoder: decoder, isolation: isolation, window: min(window, max(1, paths.count)),
      isCancelled: isCancelled)
    var workers = 0
    while workers < min(threadCount, paths.count), queue.startWorker() { workers += 1 }
    defer { queue.stop(workers: workers) }
    // Without a single thread there is still this one.
    if workers == 0 { return try queue.decodeHere(consume) }
    for index in paths.indices {
      guard !isCancelled(), let result = queue.take(index) else { return index }
      try consume(index, result)
      queue.recycle(result)
    }
    return paths.count
  }
}

/// What the threads of one run share: a ring of `window` places, through which file number i goes at place i % window.
private final class DecodingQueue: Sendable {
  private let paths: [BytePath]
  private let decoder: PictureDecoder
  private let isolation: DecoderIsolation?
  private let isCancelled: @Sendable () -> Bool
  private let next = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let results: Mutex<[Result<DecodedPicture, ImagingError>?]>
  /// Pixels of results that the consumer has seen.
  private let used: RGBImagePool
  /// Counts the places that may be filled.
  private let free: DispatchSemaphore
  /// One for each place: signalled when it is filled, or will not be.
  private let filled: [DispatchSemaphore]
  private let running = DispatchGroup()

  init(
    paths: [BytePath], decoder: PictureDecoder, isolation: DecoderIsolation?, window: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.paths = paths
    self.decoder = decoder
    self.isolation = isolation
    self.isCancelled = isCancelled
    results = Mutex(Array(repeating: nil, count: window))
    used = RGBImagePool(capacity: 2 * window)
    // A semaphore must not be destroyed with less than it began with, so it begins with nothing.
    free = DispatchSemaphore(value: 0)
    for _ in 0..<window { free.signal() }
    filled = (0..<window).map { _ in DispatchSemaphore(value: 0) }
  }

  /// - Returns: whether the system had a thread for it.
  func startWorker() -> Bool {
    running.enter()
    let isStarted = WorkerThread.start { [self] in
      work()
      running.leave()
    }
    if !isStarted { running.leave() }
    return isStarted
  }

  /// Decodes all files on the calling thread.
  func decodeHere<Failure: Error>(
    _ consume: (Int, Result<DecodedPicture, ImagingError>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let files = makeDecoder()
    for index in paths.indices {
      if isCancelled() { return index }
      let result = Result { () throws(ImagingError) in try files.decode(fileAt: paths[index]) }
      if case .failure(let error) = result, error.reason == .cancelled { return index }
      try consume(index, result)
      recycle(result)
    }
    return paths.count
  }

  /// The result of file `index`; nil when the run was cancelled before its end.
  func take(_ index: Int) -> Result<DecodedPicture, ImagingError>? {
    let place = index % filled.count
    filled[place].wait()
    let result = results.withLock { results in
      defer { results[place] = nil }
      return results[place]
    }
    free.signal()
    if case .failure(let error) = result, error.reason == .cancelled { return nil }
    return result
  }

  /// Takes back what the consumer has seen.
  func recycle(_ result: consuming Result<DecodedPicture, ImagingError>) {
    if case .success(let picture) = consume result { used.give(picture) }
  }

  /// Ends the threads as soon as the pictures that they are at can be given up.
  func stop(workers: Int) {
    isStopped.store(true, ordering: .relaxed)
    for _ in 0..<workers { free.signal() }
    running.wait()
  }

  private func makeDecoder() -> any FileDecoder {
    let isUnwanted = { [self] in isStopped.load(ordering: .relaxed) || isCancelled() }
    return isolation.map {
      DecoderProcess($0, options: decoder.options, gate: decoder.gate, results: used, isCancelled: isUnwanted)
    } ?? DirectDecoder(decoder: decoder, workspace: DecodingWorkspace(results: used, isCancelled: isUnwanted))
  }

  private func work() {
    let files = makeDecoder()
    while true {
      free.wait()
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < paths.count, !isStopped.load(ordering: .relaxed) else { return }
      let place = index % filled.count
      if isCancelled() {
        // The consumer may be waiting for this very file.
        filled[place].signal()
        return
      }
      let result = Result { () throws(ImagingError) in
        try files.decode(fileAt: paths[index])
      }
      results.withLock { $0[place] = result }
      filled[place].signal()
    }
  }
}
