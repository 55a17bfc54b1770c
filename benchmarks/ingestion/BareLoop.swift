import CTurboJPEG
import Foundation
import Imaging
import Synchronization

/// The least that any program must do: read each file and decode it at 1/8 with TurboJPEG, on all cores.
enum BareLoop {
  /// - Returns: how many files were decoded.
  static func decode(_ paths: [BytePath]) -> Int {
    let next = Atomic<Int>(0)
    let decoded = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: AvailableProcessors.count) { _ in
      guard let handle = tjInitDecompress() else { return }
      defer { tjDestroy(handle) }
      var file: [UInt8] = []
      var pixels: [UInt8] = []
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < paths.count else { return }
        read(paths[index], into: &file)
        if decode(file, with: handle, to: &pixels) { decoded.add(1, ordering: .relaxed) }
      }
    }
    return decoded.load(ordering: .relaxed)
  }

  private static func read(_ path: BytePath, into file: inout [UInt8]) {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    if file.count != Int(status.st_size) {
      file = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { $1 = Int(status.st_size) }
    }
    file.withUnsafeMutableBytes { _ = Foundation.read(descriptor, $0.baseAddress, $0.count) }
  }

  private static func decode(_ file: [UInt8], with handle: tjhandle, to pixels: inout [UInt8]) -> Bool {
    var (width, height, sampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
    guard tjDecompressHeader3(handle, file, UInt(file.count), &width, &height, &sampling, &colours) == 0 else {
      return false
    }
    // As far as the network's input allows; 1/8 for 12 megapixels.
    var eighths: Int32 = 1
    while eighths < 8, min((width * eighths + 7) / 8, (height * eighths + 7) / 8) < 128 { eighths += 1 }
    let (smallWidth, smallHeight) = ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
    let count = Int(smallWidth * smallHeight * 3)
    if pixels.count != count { pixels = [UInt8](repeating: 0, count: count) }
    return tjDecompress2(
      handle, file, UInt(file.count), &pixels, smallWidth, 0, smallHeight, Int32(TJPF_RGB.rawValue), 0) == 0
  }
}
