import Foundation

/// The other side of `DecoderIsolation`: the process that decodes.
public enum DecoderWorker {
  /// The argument by which a program learns that it is to be one; no person needs to know it.
  public static let argument = "--decoder-worker"

  /// What the process may take beside what decoding is allowed to, in bytes: code, stacks, buffers.
  private static let overhead = 2 << 30

  /// Answers the requests that come on standard input, a socket, until it is closed.
  public static func run() {
    // Drivers open devices without thinking of children.
    for descriptor in SharedPixels.inheritedDescriptor + 1..<1024 { close(descriptor) }
    // A request is a path; nothing longer has to be taken.
    let channel = MessageChannel(descriptor: STDIN_FILENO, maximumLength: 1 << 17)
    guard case .message(.options(let options)) = channel.receive(), let pixels = SharedPixels(inheritedFor: options)
    else { return }
    limit(RLIMIT_CORE, to: 0)
    limit(RLIMIT_AS, to: options.maximumWorkingBytes + options.maximumFileBytes + overhead)
    let decoder = PictureDecoder(options: options, gate: RemoteGate(channel: channel, seconds: options.maximumSeconds))
    let results = RGBImagePool(capacity: 2)
    let workspace = DecodingWorkspace(results: results)
    while case .message(.decode(let path)) = channel.receive() {
      arm(options.maximumSeconds)
      let answer: DecoderMessage
      do {
        let picture = try decoder.decode(fileAt: path, workspace: workspace)
        pixels.write(picture)
        answer = .picture(picture.facts)
        results.give(picture)
      } catch {
        answer = .failure(error.reason, error.source)
      }
      alarm(0)
      guard channel.send(answer) else { return }
    }
  }

  /// Ends the process some time after the one that waits for it has given up, or is no more.
  fileprivate static func arm(_ seconds: Double) {
    if seconds > 0 { alarm(UInt32(min(seconds, 1e6)) + 10) }
  }

  private static func limit(_ resource: __rlimit_resource, to bytes: Int) {
    var limit = rlimit(rlim_cur: UInt(bytes), rlim_max: UInt(bytes))
    setrlimit(Int32(resource.rawValue), &limit)
  }
}

/// Asks the process that waits for the result, which has the gate.
private struct RemoteGate: LargePictureGate {
  let channel: MessageChannel
  let seconds: Double

  func enter(bytes: Int) throws(ImagingError.Reason) {
    // Waiting doesn't count.
    alarm(0)
    guard channel.send(.large(bytes: bytes)), case .message(.proceed) = channel.receive() else {
      throw .decoderEnded("nobody waits for it")
    }
    DecoderWorker.arm(seconds)
  }

  /// Whoever waits for the result gives the room back when it comes, or when more is asked for.
  func leave(bytes: Int) {}
}
