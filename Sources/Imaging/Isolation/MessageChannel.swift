import Foundation

/// Messages over a socket, each behind its length.
final class MessageChannel: Sendable {
  /// What came of waiting for a message.
  enum Reception {
    case message(DecoderMessage)
    /// Nothing came in time.
    case timeout
    /// The other side is gone, or says what can't be understood.
    case closed
  }

  private let descriptor: Int32
  /// Longer messages are no messages, in bytes.
  private let maximumLength: Int

  /// Takes the descriptor over.
  init(descriptor: Int32, maximumLength: Int) {
    self.descriptor = descriptor
    self.maximumLength = maximumLength
  }

  deinit {
    close(descriptor)
  }

  /// - Returns: false when the other side is gone.
  func send(_ message: DecoderMessage) -> Bool {
    let content = message.encoded
    var bytes = withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) }
    bytes += content
    var sent = 0
    while sent < bytes.count {
      let step = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if step > 0 { sent += step } else if errno != EINTR { return false }
    }
    return true
  }

  /// - Parameter deadline: nil waits for ever.
  func receive(until deadline: ContinuousClock.Instant? = nil) -> Reception {
    var header = [UInt8](repeating: 0, count: 4)
    if let failure = fill(&header, until: deadline) { return failure }
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= maximumLength else { return .closed }
    var content = [UInt8](unsafeUninitializedCapacity: length) { $1 = length }
    if let failure = fill(&content, until: deadline) { return failure }
    return DecoderMessage(content[...]).map(Reception.message) ?? .closed
  }

  private func fill(_ bytes: inout [UInt8], until deadline: ContinuousClock.Instant?) -> Reception? {
    var received = 0
    while received < bytes.count {
      if let deadline {
        let left = max(0, (deadline - .now) / .milliseconds(1))
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&wish, 1, Int32(min(left.rounded(.up), 1e9)))
        if ready == 0 { return .timeout }
        if ready < 0, errno == EINTR { continue }
      }
      let step = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + received, $0.count - received) }
      if step > 0 { received += step } else if step == 0 || errno != EINTR { return .closed }
    }
    return nil
  }
}
