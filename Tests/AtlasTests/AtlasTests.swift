import Foundation
import Imaging
import Sorting
import TestSupport
import Testing

@testable import Atlas

@Suite("Throwaway")
struct Throwaway {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["KIANO_LOOK"] != nil))
  func look() throws {
    let out = ProcessInfo.processInfo.environment["KIANO_LOOK"]!
    var paths: [String] = []
    for root in ["/work/shared/photos", "/usr/share/tuxpaint/stamps"] {
      let e = FileManager.default.enumerator(atPath: root)!
      while let f = e.nextObject() as? String { if f.hasSuffix(".jpg") || f.hasSuffix(".png") { paths.append(root + "/" + f) } }
    }
    paths.sort()
    var thumbs: [[UInt8]] = []
    var pics: [MapPicture] = []
    var content: [UInt8] = []
    var appearance: [UInt8] = []
    let encoder = try JPEGEncoder(quality: 85)
    ParallelDecoder().decode(paths.map { BytePath($0) }) { i, r in
      guard case .success(let p) = r else { return }
      thumbs.append(try! encoder.encode(p.thumbnail))
      pics.append(MapPicture(path: BytePath(paths[i]), width: p.width, height: p.height, takenAt: p.takenAt, isPartial: p.completeness != .complete))
      func mean(_ cx: Int, _ cy: Int, _ n: Int, _ ch: Int) -> Int {
        let s = 128 / n
        var sum = 0
        for y in 0..<s { for x in 0..<s { sum += Int(p.thumbnail.pixels[((cy * s + y) * 128 + cx * s + x) * 3 + ch]) } }
        return sum / (s * s)
      }
      for y in 0..<8 { for x in 0..<8 { content.append(UInt8((mean(x, y, 8, 0) + mean(x, y, 8, 1) + mean(x, y, 8, 2)) / 3)) } }
      var a: [UInt8] = []
      for y in 0..<4 { for x in 0..<4 { for c in 0..<3 { a.append(UInt8(mean(x, y, 4, c))) } } }
      appearance += a + [0, 0]
    }
    let grid = Grid(fitting: pics.count, aspect: 1.5)
    let packed = PackedVectors(count: pics.count, dimensions: 50, bytes: appearance)
    let arrangement = try SwiftSorter(threads: 2).sort(packed, on: grid)
    let t = thumbs
    var c = MapContents(programVersion: "0.1", arrangement: arrangement, pictures: pics, thumbnail: { t[$0] })
    c.vectors = MapVectors(content: content, contentDimensions: 64, appearance: appearance, appearanceDimensions: 50)
    c.failures = [MapFailure(path: "/x/y.jpg", reason: "is empty")]
    print(try MapWriter(destination: BytePath(out)).write(c))
  }
}
