import Foundation
import Synchronization

/// Messages over a socket, each behind its length.
final class MessageChannel: Sendable {
  /// What came of waiting for a message.
  enum Reception {
    case message(DecoderMessage)
    /// Nothing came in time.
    case timeout
    /// Nobody wants to wait any longer.
    case cancelled
    /// The other side is gone, or says what can't be understood.
    case closed
  }

  /// How long a reader waits, and when it gives up.
  struct Patience {
    /// Nil waits for ever.
    var deadline: ContinuousClock.Instant?
    /// Asked ten times a second.
    var isCancelled: () -> Bool
  }

  /// The length before each message, in bytes.
  private static let headerLength = 8

  private let descriptor: Int32
  /// Longer messages are no messages, in bytes.
  private let maximumLength: Int
  private let outgoing = Mutex(ByteEncoder())
  private let incoming = Mutex<[UInt8]>([])

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
    outgoing.withLock { encoder in
      encoder.clear()
      encoder.append(0)
      message.encode(to: &encoder)
      encoder.replaceFirst(encoder.bytes.count - Self.headerLength)
      return encoder.bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let step = Foundation.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
          if step > 0 { sent += step } else if errno != EINTR { return false }
        }
        return true
      }
    }
  }

  /// - Parameter patience: nil waits for ever.
  func receive(_ patience: Patience? = nil) -> Reception {
    incoming.withLock { bytes in
      if let failure = fill(&bytes, count: Self.headerLength, patience) { return failure }
      var header = ByteDecoder(bytes[..<Self.headerLength])
      guard let length = header.number(), (0...maximumLength).contains(length) else { return .closed }
      header = ByteDecoder([])
      if let failure = fill(&bytes, count: length, patience) { return failure }
      return DecoderMessage(bytes[..<length]).map(Reception.message) ?? .closed
    }
  }

  private func fill(_ bytes: inout [UInt8], count: Int, _ patience: Patience?) -> Reception? {
    if bytes.count < count { bytes += repeatElement(0, count: count - bytes.count) }
    var received = 0
    while received < count {
      if let patience, let failure = wait(patience) { return failure }
      let step = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + received, count - received) }
      if step > 0 { received += step } else if step == 0 || errno != EINTR { return .closed }
    }
    return nil
  }

  /// - Returns: nil once there is something to read.
  private func wait(_ patience: Patience) -> Reception? {
    while true {
      let left = patience.deadline.map { max(0, ($0 - .now) / .milliseconds(1)) } ?? .infinity
      var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wish, 1, Int32(min(left.rounded(.up), 100)))
      if ready > 0 || ready < 0 && errno != EINTR { return nil }
      if left == 0 { return .timeout }
      if patience.isCancelled() { return .cancelled }
    }
  }
}
