import CImaging
import Foundation

/// Memory in which a decoder process leaves the pixels of a result for the one that waits for it: the input's, then the
/// thumbnail's.
final class SharedPixels {
  /// Where a process finds the memory that it was started with.
  static let inheritedDescriptor: Int32 = 3

  let descriptor: Int32
  private let bytes: UnsafeMutableRawBufferPointer
  private let inputCount: Int

  /// New memory; nil where there is none.
  convenience init?(for options: DecodingOptions) {
    let descriptor = kiano_shared_memory_create(Self.byteCount(options))
    guard descriptor >= 0 else { return nil }
    self.init(descriptor, options)
  }

  /// The memory that another process made.
  convenience init?(inheritedFor options: DecodingOptions) {
    var status = stat()
    guard fstat(Self.inheritedDescriptor, &status) == 0, Int(status.st_size) == Self.byteCount(options) else {
      return nil
    }
    self.init(Self.inheritedDescriptor, options)
  }

  private init?(_ descriptor: Int32, _ options: DecodingOptions) {
    let count = Self.byteCount(options)
    guard let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    inputCount = options.inputSide * options.inputSide * 3
  }

  deinit {
    munmap(bytes.baseAddress!, bytes.count)
    close(descriptor)
  }

  /// Leaves a result.
  func write(_ picture: DecodedPicture) {
    picture.input.pixels.withUnsafeBytes { bytes.copyMemory(from: $0) }
    picture.thumbnail.pixels.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: bytes[inputCount...]).copyMemory(from: $0)
    }
  }

  /// Takes a result.
  ///
  /// - Parameter results: where its memory comes from.
  func read(
    _ options: DecodingOptions, results: RGBImagePool
  ) -> (input: RGBImage, thumbnail: RGBImage) {
    func image(side: Int, at offset: Int) -> RGBImage {
      var pixels = results.take(count: side * side * 3)
      pixels.withUnsafeMutableBytes { $0.copyMemory(from: .init(rebasing: bytes[offset..<offset + $0.count])) }
      return RGBImage(width: side, height: side, pixels: pixels)
    }
    return (image(side: options.inputSide, at: 0), image(side: options.thumbnailSide, at: inputCount))
  }

  private static func byteCount(_ options: DecodingOptions) -> Int {
    (options.inputSide * options.inputSide + options.thumbnailSide * options.thumbnailSide) * 3
  }
}
