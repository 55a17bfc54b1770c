import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Writing")
struct WritingTests {
  @Test("a PNG comes back as it was", arguments: [(1, 1), (3, 2), (257, 100)])
  func roundTrip(width: Int, height: Int) throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("out.png").path)
      let image = TestFiles.noise(width: width, height: height)
      try PNGWriter.write(image, to: path, compression: 1)
      #expect(try TestFiles.decodeWhole(path) == image)
    }
  }

  @Test("a full disk is reported", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() {
    let image = TestFiles.noise(width: 1000, height: 1000)
    let error = #expect(throws: ImagingError.self) { try PNGWriter.write(image, to: "/dev/full") }
    #expect(error?.description.contains("No space left") == true, "\(String(describing: error))")
  }

  @Test("a folder that isn't there is reported with the path")
  func missingFolder() {
    let image = TestFiles.noise(width: 1, height: 1)
    let error = #expect(throws: ImagingError.self) { try PNGWriter.write(image, to: "/nowhere/at/all.png") }
    #expect(error?.path == "/nowhere/at/all.png")
  }

  @Test("a JPEG comes back nearly as it was")
  func jpeg() throws {
    let pixels = (0..<16_384).flatMap { (index: Int) -> [UInt8] in [UInt8(index % 128), UInt8(index / 128), 200] }
    let image = RGBImage(width: 128, height: 128, pixels: pixels)
    let encoder = try JPEGEncoder(quality: 90)
    let bytes = try encoder.encode(image)
    #expect(try encoder.encode(image) == bytes)
    let back = try PictureDecoder().decodeWhole(bytes, workspace: DecodingWorkspace())
    #expect(zip(back.pixels, image.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
  }

  @Test("a picture that JPEG can't hold is refused")
  func tooLarge() throws {
    let image = RGBImage(width: 70_000, height: 1, pixels: Array(repeating: 0, count: 210_000))
    let encoder = try JPEGEncoder()
    #expect(throws: ImagingError.self) { try encoder.encode(image) }
  }
}
