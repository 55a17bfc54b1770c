import CJPEG
import Foundation

/// Writes an RGB picture to a JPEG file row by row, so that it may be larger than memory.
///
/// The file is complete only after `finish`; a writer that goes away before leaves a broken file behind.
public final class JPEGWriter: RowWriter {
  /// The file.
  public let path: BytePath
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The longest side that JPEG can have, in pixels.
  public static let maximumSide = 65_500

  private let writer: OpaquePointer
  private var descriptor: Int32
  private var rowsWritten = 0

  /// Creates the file, or empties it, and writes the header.
  ///
  /// - Parameter quality: libjpeg's, 1...100.
  /// - Throws: when the file can't be made.
  public init(path: BytePath, width: Int, height: Int, quality: Int = 90) throws(ImagingError) {
    precondition((1...100).contains(quality), "JPEG quality is 1...100")
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else {
      throw ImagingError(path: path, reason: .unwritable("JPEG can't hold \(width) x \(height) pixels"))
    }
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw ImagingError(path: path, reason: .unwritable(String(cString: strerror(errno))))
    }
    guard let writer = kiano_jpeg_writer_create(descriptor) else {
      close(descriptor)
      throw ImagingError(path: path, reason: .unwritable("libjpeg can't start; is memory short?"))
    }
    self.path = path
    self.width = width
    self.height = height
    self.writer = writer
    self.descriptor = descriptor
    try check(kiano_jpeg_writer_start(writer, Int32(width), Int32(height), Int32(quality)))
  }

  deinit {
    kiano_jpeg_writer_destroy(writer)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes the next row, from the top.
  public func append(_ row: UnsafeBufferPointer<UInt8>) throws(ImagingError) {
    precondition(row.count == width * 3 && rowsWritten < height, "the rows must be those of the header")
    rowsWritten += 1
    try check(kiano_jpeg_writer_write_row(writer, row.baseAddress!))
  }

  /// Writes what is left and closes the file.
  public func finish() throws(ImagingError) {
    precondition(rowsWritten == height, "all rows must be written before the end")
    try check(kiano_jpeg_writer_finish(writer))
    let status = close(descriptor)
    descriptor = -1
    // Network file systems may report a full disk only now.
    guard status == 0 else {
      throw ImagingError(path: path, reason: .unwritable(String(cString: strerror(errno))))
    }
  }

  private func check(_ status: Int32) throws(ImagingError) {
    guard status != 0 else { return }
    throw ImagingError(path: path, reason: .unwritable(String(cString: kiano_jpeg_writer_message(writer))))
  }
}

/// Writes a picture row by row.
public protocol RowWriter {
  /// Writes the next row, from the top.
  ///
  /// - Parameter row: the width x 3 bytes.
  /// - Throws: when it can't be written: the disk is full, for example.
  func append(_ row: UnsafeBufferPointer<UInt8>) throws(ImagingError)

  /// Writes what is left and closes the file.
  ///
  /// - Throws: when it can't be written.
  func finish() throws(ImagingError)
}
