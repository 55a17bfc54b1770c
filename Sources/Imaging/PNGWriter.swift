import CPNG
import Foundation

/// Writes an RGB picture to a PNG file row by row, so that it may be larger than memory.
///
/// The file is complete only after `finish`; a writer that goes away before leaves a broken file behind.
public final class PNGWriter: RowWriter {
  /// The file.
  public let path: BytePath
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int

  private let writer: OpaquePointer
  private var descriptor: Int32
  private var rowsWritten = 0

  /// Creates the file, or empties it, and writes the header.
  ///
  /// - Parameter compression: zlib's level, 0...9.
  /// - Throws: when the file can't be made.
  public init(path: BytePath, width: Int, height: Int, compression: Int = 6) throws(ImagingError) {
    precondition((0...9).contains(compression), "zlib's levels are 0...9")
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else {
      throw ImagingError(path: path, reason: .unwritable("PNG can't hold \(width) x \(height) pixels"))
    }
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw ImagingError(path: path, reason: .unwritable(String(cString: strerror(errno))))
    }
    guard let writer = kiano_png_writer_create(descriptor) else {
      close(descriptor)
      throw ImagingError(path: path, reason: .unwritable("libpng can't start; is memory short?"))
    }
    self.path = path
    self.width = width
    self.height = height
    self.writer = writer
    self.descriptor = descriptor
    try check(kiano_png_writer_start(writer, UInt32(width), UInt32(height), Int32(compression)))
  }

  deinit {
    kiano_png_writer_destroy(writer)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes the next row, from the top.
  ///
  /// - Parameter row: `width` x 3 bytes.
  /// - Throws: when it can't be written: the disk is full, for example.
  public func append(_ row: UnsafeBufferPointer<UInt8>) throws(ImagingError) {
    precondition(row.count == width * 3 && rowsWritten < height, "the rows must be those of the header")
    rowsWritten += 1
    try check(kiano_png_writer_write_row(writer, row.baseAddress!))
  }

  /// Writes what is left and closes the file.
  ///
  /// - Throws: when it can't be written.
  public func finish() throws(ImagingError) {
    precondition(rowsWritten == height, "all rows must be written before the end")
    try check(kiano_png_writer_finish(writer))
    let status = close(descriptor)
    descriptor = -1
    // Network file systems may report a full disk only now.
    guard status == 0 else {
      throw ImagingError(path: path, reason: .unwritable(String(cString: strerror(errno))))
    }
  }

  /// Writes a whole picture.
  public static func write(_ image: RGBImage, to path: BytePath, compression: Int = 6) throws(ImagingError) {
    let writer = try PNGWriter(path: path, width: image.width, height: image.height, compression: compression)
    try image.pixels.withUnsafeBufferPointer { (pixels) throws(ImagingError) in
      for y in 0..<image.height {
        try writer.append(UnsafeBufferPointer(rebasing: pixels[y * image.width * 3..<(y + 1) * image.width * 3]))
      }
    }
    try writer.finish()
  }

  private func check(_ status: Int32) throws(ImagingError) {
    guard status != 0 else { return }
    throw ImagingError(path: path, reason: .unwritable(String(cString: kiano_png_writer_message(writer))))
  }
}
