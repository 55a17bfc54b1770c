import Compute
import Foundation
import Imaging

/// What is measured of reading pictures: a JPEG file of a camera's size, and one without compression, which only has to be
/// made smaller.
struct DecodingOperations {
  private let folder: URL
  private let threads: Int
  private let megapixels: Int
  private let files: (jpeg: BytePath, bitmap: BytePath)

  /// Makes the files, in a temporary folder.
  init(threads: Int, isQuick: Bool) throws {
    self.threads = threads
    let (width, height) = isQuick ? (2000, 1500) : (4000, 3000)
    megapixels = width * height / 1_000_000
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("kiano-gpu-bench-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw BytePath(folder.path).failure("made", errno: errno)
    }
    files = (
      BytePath(folder.appendingPathComponent("photo.jpg").path),
      BytePath(folder.appendingPathComponent("photo.bmp").path)
    )
    let image = Self.picture(width: width, height: height)
    do {
      try writeFile(JPEGEncoder(quality: 90).encode(image), to: files.jpeg)
      try writeFile(Self.bitmap(image), to: files.bitmap)
    } catch {
      removeFiles()
      throw error
    }
  }

  func removeFiles() { try? FileManager.default.removeItem(at: folder) }

  func operations() -> [BenchmarkOperation] {
    [("decode", "JPEG", files.jpeg), ("resize", "bitmap", files.bitmap)].map { stage, kind, file in
      let paths = [BytePath](repeating: file, count: 2 * threads)
      let decoder = ParallelDecoder(threadCount: threads)
      return BenchmarkOperation(
        stage: stage, detail: "\(megapixels) megapixels, \(kind)", unit: "files", items: paths.count,
        isRepeatable: false,
        run: {
          try decoder.decode(paths) { _, result throws in _ = try result.get() }
        })
    }
  }

  /// Soft shapes with some noise, which compresses about as photos do.
  private static func picture(width: Int, height: Int) -> RGBImage {
    var state: UInt32 = 1
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = Int(state >> 28)
        let shape = (x * x / 9000 + y * y / 7000) & 255
        let place = (y * width + x) * 3
        pixels[place] = UInt8(clamping: shape + noise)
        pixels[place + 1] = UInt8(clamping: (x * 255 / width) + noise)
        pixels[place + 2] = UInt8(clamping: 255 - shape / 2 + noise)
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// A BMP file of 24 bits a pixel, whose rows are multiples of four bytes.
  private static func bitmap(_ image: RGBImage) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file = Array("BM".utf8) + bytes(54 + image.pixels.count, 4) + bytes(0, 4) + bytes(54, 4)
    // Negative: the first row is the upper one.
    file += bytes(40, 4) + bytes(image.width, 4) + bytes(-image.height, 4) + bytes(1, 2) + bytes(24, 2)
    file += bytes(0, 4) + bytes(image.pixels.count, 4) + bytes(2835, 4) + bytes(2835, 4) + bytes(0, 4) + bytes(0, 4)
    return file + image.pixels
  }
}
