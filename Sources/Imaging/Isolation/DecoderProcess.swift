import Foundation

/// A process that decodes files for one thread; it is started when needed, and again after it ended.
final class DecoderProcess: FileDecoder {
  private let isolation: DecoderIsolation
  private let options: DecodingOptions
  private let gate: any LargePictureGate
  private let results: RGBImagePool
  private let isCancelled: () -> Bool
  private var child: (id: pid_t, channel: MessageChannel, pixels: SharedPixels)?

  /// A process longer past the limit than this is ended; one that can stop by itself does so before.
  private static let tolerance = Duration.milliseconds(200)

  /// - Parameters:
  ///   - results: where the memory of results comes from.
  ///   - isCancelled: asked while the process decodes; once it says true, the process is ended.
  init(
    _ isolation: DecoderIsolation, options: DecodingOptions, gate: any LargePictureGate,
    results: RGBImagePool = RGBImagePool(capacity: 0), isCancelled: @escaping () -> Bool = { false }
  ) {
    self.isolation = isolation
    self.options = options
    self.gate = gate
    self.results = results
    self.isCancelled = isCancelled
  }

  deinit {
    // It keeps nothing that would be lost.
    end(patience: 0)
  }

  func decode(fileAt path: BytePath) throws(ImagingError) -> DecodedPicture {
    var source: FileIdentity?
    do throws(ImagingError.Reason) {
      var outcome = try attempt(path, &source)
      // It may have been killed for what it wasn't to blame for, such as a shortage of memory: once more, afresh.
      if outcome == nil {
        end()
        outcome = try attempt(path, &source)
      }
      if let outcome { return outcome }
      throw .decoderEnded(end())
    } catch {
      throw ImagingError(path: path, reason: error, source: source)
    }
  }

  /// - Parameter source: takes the file of which the process says why there is no picture.
  /// - Returns: nil when the process ended on the way.
  private func attempt(
    _ path: BytePath, _ source: inout FileIdentity?
  ) throws(ImagingError.Reason) -> DecodedPicture? {
    if child == nil { child = try start() }
    guard let (_, channel, pixels) = child, channel.send(.decode(path)) else { return nil }
    var claim = GateClaim(gate)
    defer { claim.release() }
    while true {
      switch channel.receive(.init(deadline: deadline, isCancelled: isCancelled)) {
      case .message(.picture(let facts)):
        let (input, thumbnail) = pixels.read(options, results: results)
        return DecodedPicture(facts, input: input, thumbnail: thumbnail)
      case .message(.failure(let reason, let file)):
        source = file
        throw reason
      case .message(.large(let bytes)):
        // It can't be told from one that hostile input has taken over: no more than any picture may take.
        try claim.raise(to: min(bytes, options.maximumWorkingBytes))
        guard channel.send(.proceed) else { return nil }
      case .timeout:
        end(patience: 0)
        throw .tooSlow(seconds: options.maximumSeconds)
      case .cancelled:
        end(patience: 0)
        throw .cancelled
      case .message, .closed: return nil
      }
    }
  }

  private var deadline: ContinuousClock.Instant? {
    options.maximumSeconds > 0 ? .now + .seconds(options.maximumSeconds) + Self.tolerance : nil
  }

  // MARK: - Starting and ending

  private func start() throws(ImagingError.Reason) -> (id: pid_t, channel: MessageChannel, pixels: SharedPixels) {
    guard let pixels = SharedPixels(for: options) else {
      throw .decoderUnavailable("can't share memory: \(String(cString: strerror(errno)))")
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw .decoderUnavailable("can't be started: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[1]) }
    // An answer is some words at most.
    let channel = MessageChannel(descriptor: ends[0], maximumLength: 1 << 16)
    var id: pid_t = 0
    let number = spawn(standardInput: ends[1], pixels: pixels.descriptor, &id)
    guard number == 0 else { throw .decoderUnavailable("can't be started: \(String(cString: strerror(number)))") }
    _ = channel.send(.options(options))
    return (id, channel, pixels)
  }

  /// - Returns: the system's error number, or 0.
  private func spawn(standardInput: Int32, pixels: Int32, _ id: inout pid_t) -> Int32 {
    // Copies out of the way of the numbers that the process gets them by.
    let descriptors = [standardInput, pixels].map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    defer { descriptors.forEach { close($0) } }
    if descriptors.contains(-1) { return errno }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptors[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptors[1], SharedPixels.inheritedDescriptor)
    // Codecs talk to themselves.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Ctrl-C is for us to handle: a group of its own doesn't get it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

    var arguments = (["kiano-gpu"] + isolation.arguments).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    // A crash is an outcome, not something to be analysed on the spot.
    let inherited = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_BACKTRACE" }
    var environment = inherited.map { strdup("\($0.key)=\($0.value)") } + [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { environment.forEach { free($0) } }
    return isolation.program.withCString { posix_spawn(&id, $0, &actions, &attributes, &arguments, &environment) }
  }

  /// Ends the process if it hasn't ended.
  ///
  /// - Parameter patience: how long it may take to end by itself, in milliseconds, so that it can be said why it did.
  /// - Returns: how it ended, in words.
  @discardableResult
  private func end(patience: Int = 20) -> String {
    guard let ended = child else { return "it can't be reached" }
    child = nil
    var status: Int32 = 0
    var isReaped = false
    for _ in 0..<patience where !isReaped {
      isReaped = waitpid(ended.id, &status, WNOHANG) == ended.id
      if !isReaped { usleep(1000) }
    }
    if !isReaped {
      kill(ended.id, SIGKILL)
      while waitpid(ended.id, &status, 0) < 0, errno == EINTR {}
    }
    let signal = status & 0x7F
    return signal == 0
      ? "it ended with code \(status >> 8 & 0xFF)"
      : "it was ended by signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
  }
}
