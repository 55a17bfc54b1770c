import Foundation

/// Reads picture files, carefully: nothing but a regular file is read, and no more of it than is wanted.
enum FileReader {
  /// A picture file in memory.
  struct Content {
    let codec: any ImageCodec
    let bytes: UnsafeRawBufferPointer
  }

  /// Reads a whole picture file.
  ///
  /// The first bytes decide whether the rest is read at all, so that a huge file which only has a picture's name costs
  /// nothing. A file that changes meanwhile is read once more. It is read rather than mapped: a mapped file that is
  /// truncated by someone else kills the process that looks at it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - buffer: takes the content.
  ///   - admit: asked with the file's size, in bytes, before it is read; refuses by throwing.
  /// - Returns: the content, and the decoder for it.
  static func read(
    _ path: BytePath, into buffer: ScratchBuffer, admit: (Int) throws(ImagingError.Reason) -> Void
  ) throws(ImagingError.Reason) -> Content {
    // O_NONBLOCK: a pipe without a writer would wait for ever.
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw .unreadable(errno: errno) }
    defer { close(descriptor) }
    let before = try status(of: descriptor)
    let content = try readOnce(descriptor, size: Int(before.st_size), into: buffer, admit: admit)
    let after = try status(of: descriptor)
    guard isChanged(before, after) else { return content }
    return try readOnce(descriptor, size: Int(after.st_size), into: buffer, admit: admit)
  }

  private static func readOnce(
    _ descriptor: Int32, size: Int, into buffer: ScratchBuffer, admit: (Int) throws(ImagingError.Reason) -> Void
  ) throws(ImagingError.Reason) -> Content {
    let head = try fill(buffer.bytes(count: min(size, ImageFormat.headLength)), from: descriptor)
    let codec = try ImageCodecs.codec(for: head)
    try admit(size)
    return Content(codec: codec, bytes: try fill(buffer.bytes(count: size), from: descriptor))
  }

  private static func status(of descriptor: Int32) throws(ImagingError.Reason) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    return status
  }

  private static func isChanged(_ before: stat, _ after: stat) -> Bool {
    before.st_size != after.st_size || before.st_mtim.tv_sec != after.st_mtim.tv_sec
      || before.st_mtim.tv_nsec != after.st_mtim.tv_nsec
  }

  /// Fills `buffer` from the file's beginning.
  ///
  /// - Returns: the part that was filled: all of it unless the file has become shorter.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
  ) throws(ImagingError.Reason) -> UnsafeRawBufferPointer {
    var received = 0
    while received < buffer.count {
      let step = pread(descriptor, buffer.baseAddress! + received, buffer.count - received, off_t(received))
      if step == 0 { break }
      if step > 0 {
        received += step
      } else if errno != EINTR {
        throw .unreadable(errno: errno)
      }
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<received])
  }
}
