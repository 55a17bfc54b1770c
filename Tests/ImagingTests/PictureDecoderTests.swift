import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Decoding")
struct PictureDecoderTests {
  private func decode(_ path: BytePath, _ change: (inout DecodingOptions) -> Void = { _ in }) throws -> DecodedPicture {
    var options = DecodingOptions()
    change(&options)
    return try PictureDecoder(options: options).decode(fileAt: path, workspace: DecodingWorkspace())
  }

  private func withFile(_ bytes: [UInt8], _ body: (BytePath) throws -> Void) throws {
    try Locations.withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("file.jpg")
      try Data(bytes).write(to: url)
      try body(BytePath(url.path))
    }
  }

  private func reason(_ body: () throws -> some Any) -> ImagingError.Reason? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? ImagingError)?.reason
    }
  }

  @Test("the network sees the whole picture squeezed, or its centre; the thumbnail is the centre")
  func framing() throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("wide.png").path)
      // Red, green, blue side by side; the centre square is green.
      let row = (0..<300).flatMap { (x: Int) -> [UInt8] in
        [x < 100 ? 255 : 0, x / 100 == 1 ? 255 : 0, x < 200 ? 0 : 255]
      }
      let image = RGBImage(width: 300, height: 100, pixels: Array(repeatElement(row, count: 100).joined()))
      try PNGWriter.write(image, to: path)
      let green = RGBImage(width: 128, height: 128, pixels: Array(repeatElement([0, 255, 0], count: 16_384).joined()))
      let squeezed = try decode(path)
      #expect(squeezed.input.pixels[0..<3] == [255, 0, 0])
      #expect(squeezed.thumbnail == green)
      #expect(try decode(path) { $0.framing = .centreCrop }.input == green)
      let small = try decode(path) {
        $0.framing = .centreCrop
        $0.thumbnailSide = 64
      }
      #expect(small.thumbnail.width == 64)
      #expect(small.input == green)
    }
  }

  @Test("limits are checked before decoding")
  func limits() throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("a.png").path)
      try PNGWriter.write(TestFiles.noise(width: 100, height: 50), to: path)
      #expect(
        reason { try decode(path) { $0.maximumPixels = 4999 } } == .tooManyPixels(width: 100, height: 50, limit: 4999))
      #expect(reason { try decode(path) { $0.maximumPixels = 5000 } } == nil)
      let size = try TestFiles.bytes(path).count
      #expect(reason { try decode(path) { $0.maximumFileBytes = size - 1 } } == .tooManyBytes(size, limit: size - 1))
      let needed = size + 2300
      #expect(
        reason { try decode(path) { $0.maximumWorkingBytes = needed - 1 } }
          == .tooMuchMemory(bytes: needed, limit: needed - 1))
      #expect(reason { try decode(path) { $0.maximumWorkingBytes = needed } } == nil)
    }
  }

  @Test("sides whose product overflows are too many pixels")
  func overflowingSize() throws {
    let header = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    try withFile(header + Array(repeating: 0xFF, count: 8) + [8, 2, 0, 0, 0, 0, 0, 0, 0]) { path in
      #expect(
        reason { try decode(path) }
          == .tooManyPixels(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF, limit: DecodingOptions().maximumPixels))
    }
  }

  @Test("files that are none are told apart")
  func kinds() throws {
    let pointer = "version https://git-lfs.github.com/spec/v1\n"
    let cases: [([UInt8], String)] = [
      ([], "0 bytes"), ([0xFF], "not a picture"), (Array(repeating: 0, count: 100), "zeros"),
      (Array(pointer.utf8), "git lfs pull"), (Array("<!DOCTYPE html>".utf8), "web page"),
      (Array("\0\0\0\u{0C}JXL \r\n".utf8), "JPEG XL pictures can't be read by this build"),
      (Array("\0\0\0\u{14}ftypqt  ".utf8), "video"),
    ]
    for (bytes, words) in cases {
      try withFile(bytes) { path in
        let description = reason { try decode(path) }.map { "\($0)" }
        #expect(description?.contains(words) == true, "\(String(describing: description))")
      }
    }
  }

  @Test("formats are told apart by their first bytes")
  func formats() {
    let cases: [(String, ImageFormat)] = [
      ("RIFF\u{4}\0\0\0WEBPVP8 ", .webp), ("\0\0\0\u{14}ftypheic\0\0\0\0mif1", .heif), ("GIF87a", .gif),
      ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif", .avif), ("MM\0+", .tiff), ("II*\0", .tiff),
    ]
    for (head, format) in cases {
      #expect(Array(head.utf8).withUnsafeBytes { ImageFormat.recognise($0) } == format)
    }
  }

  @Test("a pipe, a folder and nothing at all are errors and don't hang")
  func notFiles() throws {
    try Locations.withTemporaryFolder { folder in
      let pipe = folder.appendingPathComponent("pipe.jpg").path
      try #require(mkfifo(pipe, 0o600) == 0)
      #expect(reason { try decode(BytePath(pipe)) } == .notAFile)
      #expect(reason { try decode(BytePath(folder.path)) } == .notAFile)
      #expect(reason { try decode("/nowhere.jpg") } == .unreadable(errno: ENOENT))
    }
  }

  @Test("a huge file that only has a picture's name isn't read")
  func sparse() throws {
    try withFile([]) { path in
      #expect(path.withCString { truncate($0, 20 << 30) } == 0)
      guard case .notAPicture? = reason({ try decode(path) }) else {
        Issue.record("zeros are no picture")
        return
      }
    }
  }

  @Test("a picture cut off is partial when most is there, and an error when it would be a grey tile")
  func cutOff() throws {
    let image = TestFiles.noise(width: 200, height: 200)
    let jpeg = try JPEGEncoder(quality: 90).encode(image)
    let png = try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("a.png").path)
      try PNGWriter.write(image, to: path, compression: 1)
      return try TestFiles.bytes(path)
    }
    for bytes in [jpeg, png] {
      try withFile(Array(bytes.prefix(bytes.count * 3 / 4))) { path in
        let picture = try decode(path)
        #expect(picture.completeness != .complete)
      }
      try withFile(Array(bytes.prefix(bytes.count / 4))) { path in
        guard case .damaged? = reason({ try decode(path) }) else {
          Issue.record("a quarter of a picture isn't most of it")
          return
        }
      }
    }
  }

  @Test("damaged files do no harm", .enabled(if: !Corpus.rows.isEmpty, "no corpus"))
  func mutations() throws {
    var random = SplitMix64(state: 11)
    let workspace = DecodingWorkspace()
    for row in Corpus.rows where row.name.hasPrefix("gen/jpeg/orient_") || row.name.hasPrefix("gen/png/") {
      guard (row.width ?? 0) * (row.height ?? 0) < 100_000 else { continue }
      let original = try TestFiles.bytes(row.path)
      guard original.count > 40, original.count < 20_000 else { continue }
      for _ in 0..<60 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        var options = DecodingOptions()
        options.maximumPixels = 1_000_000
        if let image = try? PictureDecoder(options: options).decodeWhole(bytes, workspace: workspace) {
          #expect(image.pixels.count == image.width * image.height * 3)
        }
      }
    }
  }

  @Test("a name that isn't UTF-8 opens")
  func oddName() throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.path).appending([0xFF, 0x0A, 0x20, 0x2E])
      try PNGWriter.write(TestFiles.noise(width: 4, height: 4), to: path)
      #expect(try decode(path).width == 4)
    }
  }

  @Test("messages say what is wrong in words")
  func words() {
    #expect("\(ImagingError(path: "a\n.webp", reason: .noCodec(.webp)))".hasPrefix("a\\x0a.webp: WebP pictures can't"))
    #expect("\(ImagingError.Reason.unreadable(errno: EACCES))" == "can't be read: Permission denied")
  }

  @Test("what may be gone a moment later, and what a limit refuses, can be told from what is wrong with a file")
  func kindsOfFailure() {
    func error(_ reason: ImagingError.Reason) -> ImagingError { ImagingError(path: nil, reason: reason) }
    let transient: [ImagingError.Reason] = [
      .unreadable(errno: EIO), .notAFile, .empty, .changing, .decoderUnavailable("x"),
    ]
    for reason in transient {
      #expect(error(reason).isTransient && !error(reason).isLimit)
    }
    for reason in [.damaged("x"), .notAPicture(looksLike: nil), .decoderEnded("x")] as [ImagingError.Reason] {
      #expect(!error(reason).isTransient && !error(reason).isLimit)
    }
    for reason in [.tooSlow(seconds: 1), .tooManyBytes(2, limit: 1)] as [ImagingError.Reason] {
      #expect(!error(reason).isTransient && error(reason).isLimit)
    }
  }

  @Test("tells which file it read, whether there was a picture in it or not")
  func source() throws {
    try Locations.withTemporaryFolder { folder in
      func identity(_ path: BytePath) -> FileIdentity {
        var status = stat()
        _ = path.withCString { stat($0, &status) }
        return FileIdentity(status)
      }
      let good = BytePath(folder.appendingPathComponent("good.png").path)
      try PNGWriter.write(TestFiles.noise(width: 4, height: 4), to: good)
      #expect(try decode(good).source == identity(good))
      let bad = BytePath(folder.appendingPathComponent("bad.png").path)
      try Data("no picture".utf8).write(to: folder.appendingPathComponent("bad.png"))
      let error = #expect(throws: ImagingError.self) { try decode(bad) }
      #expect(error?.source == identity(bad))
      let missing = #expect(throws: ImagingError.self) { try decode("/nowhere.jpg") }
      #expect(missing?.source == nil)
    }
  }

  @Test("a file that is written to while it is read is read again, and no picture when it happens again")
  func changing() throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("a.png").path)
      try PNGWriter.write(TestFiles.noise(width: 4, height: 4), to: path)
      let size = try TestFiles.bytes(path).count
      for changes in 0...3 {
        var left = changes
        var source: FileIdentity?
        var error: ImagingError.Reason?
        do throws(ImagingError.Reason) {
          // The reader asks before it reads the rest.
          let content = try FileReader.read(path, into: ScratchBuffer(), source: &source) { bytes in
            if left == 0 { return }
            left -= 1
            _ = path.withCString { truncate($0, off_t(bytes + 1)) }
          }
          #expect(content.bytes.count == size + changes)
        } catch let failure {
          error = failure
        }
        #expect(error == (changes < 2 ? nil : .changing))
        #expect(source?.size == Int64(size + min(changes, 1)))
        _ = path.withCString { truncate($0, off_t(size)) }
      }
    }
  }
}
