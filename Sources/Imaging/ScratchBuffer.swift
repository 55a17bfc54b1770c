/// Memory that is reused from picture to picture; its content is undefined at first.
final class ScratchBuffer {
  /// More than this is given back after the picture that needed it, so that one huge picture doesn't count for the rest
  /// of the run.
  private static let keptBytes = 32 << 20

  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    memory.deallocate()
  }

  /// `count` bytes, valid until the next call or `trim`; what was in the buffer is lost.
  func bytes(count: Int) -> UnsafeMutableRawBufferPointer {
    if memory.count < count {
      memory.deallocate()
      memory = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }

  /// To be called after each picture.
  func trim() {
    guard memory.count > Self.keptBytes else { return }
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}
