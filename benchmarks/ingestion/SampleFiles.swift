import CTurboJPEG
import Foundation

/// JPEG files with as much detail as photos have, all different, a fifth of them progressive.
struct SampleFiles {
  let folder: String
  let count: Int
  let width: Int
  let height: Int

  func write() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let bytes = encode(pixels(seed: UInt64(index)), isProgressive: index % 5 == 4)
      try! bytes.write(to: URL(fileURLWithPath: "\(folder)/\(String(format: "%06d", index)).jpg"))
    }
  }

  /// Waves of several lengths and some noise: about 2.5 bits a pixel at quality 90, as phones write.
  private func pixels(seed: UInt64) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    let periods = (0..<6).map { _ in Double(random() % 1000 + 20) }
    func wave(_ length: Int, _ period: Double) -> [Double] { (0..<length).map { sin(Double($0) / period) * 40 } }
    let across = (0..<3).map { wave(width, periods[$0]) }
    let down = (3..<6).map { wave(height, periods[$0]) }
    return [UInt8](unsafeUninitializedCapacity: width * height * 3) { out, filled in
      var target = 0
      for y in 0..<height {
        for x in 0..<width {
          let noise = random()
          for channel in 0..<3 {
            let grain = Double(noise >> UInt64(channel * 8) & 15)
            out[target] = UInt8(120 + across[channel][x] + down[channel][y] + grain)
            target += 1
          }
        }
      }
      filled = width * height * 3
    }
  }

  private func encode(_ pixels: [UInt8], isProgressive: Bool) -> Data {
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var target: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &target, &count,
      Int32(TJSAMP_420.rawValue), 90, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(target) }
    return Data(bytes: target!, count: Int(count))
  }
}
