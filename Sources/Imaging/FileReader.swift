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
  /// nothing. A file that changes meanwhile is read once more, and given up when it changes again: someone is writing it.
  /// It is read rather than mapped: a mapped file that is truncated by someone else kills the process that looks at it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - buffer: takes the content.
  ///   - source: takes what the open file was when its content was read, even where reading fails.
  ///   - admit: asked with the file's size, in bytes, before it is read; refuses by throwing.
  /// - Returns: the content, and the decoder for it.
  static func read(
    _ path: BytePath, into buffer: ScratchBuffer, source: inout FileIdentity?,
    admit: (Int) throws(ImagingError.Reason) -> Void
  ) throws(ImagingError.Reason) -> Content {
    // O_NONBLOCK: a pipe without a writer would wait for ever.
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw .unreadable(errno: errno) }
    defer { close(descriptor) }
    for _ in 0..<2 {
      let before = try identity(of: descriptor)
      source = before
      var content: Content?
      var failure: ImagingError.Reason?
      do throws(ImagingError.Reason) {
        content = try readOnce(descriptor, size: Int(before.size), into: buffer, admit: admit)
      } catch {
        failure = error
      }
      // What is wrong with a file that changes may be wrong no longer.
      guard try identity(of: descriptor) == before else { continue }
      if let content { return content }
      if let failure { throw failure }
    }
    throw .changing
  }

  private static func readOnce(
    _ descriptor: Int32, size: Int, into buffer: ScratchBuffer, admit: (Int) throws(ImagingError.Reason) -> Void
  ) throws(ImagingError.Reason) -> Content {
    let head = try fill(buffer.bytes(count: min(size, ImageFormat.headLength)), from: descriptor)
    let codec = try ImageCodecs.codec(for: head)
    try admit(size)
    return Content(codec: codec, bytes: try fill(buffer.bytes(count: size), from: descriptor))
  }

  private static func identity(of descriptor: Int32) throws(ImagingError.Reason) -> FileIdentity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    return FileIdentity(status)
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
