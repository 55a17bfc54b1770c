import TestSupport
import Testing

@testable import Imaging

@Suite("Joining thumbnails")
struct JPEGJoinerTests {
  private func thumbnails(_ count: Int, side: Int) throws -> [[UInt8]] {
    let encoder = try ThumbnailEncoder()
    return try (0..<count).map { index in
      try encoder.encode(
        RGBImage(
          width: side, height: side,
          pixels: (0..<side * side * 3).map { UInt8(truncatingIfNeeded: ($0 / 3 % side + index * 40) * ($0 % 3 + 1)) }))
    }
  }

  @Test("each part of the whole is the thumbnail, pixel by pixel", arguments: [(1, 1), (3, 2), (8, 8)], [16, 64, 128])
  func parts(size: (columns: Int, rows: Int), side: Int) throws {
    let files = try thumbnails(size.columns * size.rows, side: side)
    var joiner = try JPEGJoiner(model: files[0])
    try joiner.start(columns: size.columns, rows: size.rows, filledWith: files[0])
    for (index, file) in files.enumerated() {
      let isTaken = joiner.add(file, column: index % size.columns, row: index / size.columns)
      #expect(isTaken)
    }
    let (decoder, workspace) = (PictureDecoder(), DecodingWorkspace())
    let whole = try decoder.decodeWhole(joiner.finish(), workspace: workspace)
    #expect(whole.width == size.columns * side && whole.height == size.rows * side)
    for (index, file) in files.enumerated() {
      let part = try decoder.decodeWhole(file, workspace: workspace)
      let (left, top) = (index % size.columns * side, index / size.columns * side)
      // Colours of half the resolution are smoothed across the seams.
      for y in 1..<side - 1 {
        let row = ((top + y) * whole.width + left) * 3
        #expect(
          whole.pixels[row + 3..<row + side * 3 - 3] == part.pixels[y * side * 3 + 3..<(y + 1) * side * 3 - 3])
      }
    }
  }

  @Test("what is damaged or of another kind isn't taken")
  func others() throws {
    let files = try thumbnails(2, side: 64)
    var joiner = try JPEGJoiner(model: files[0])
    try joiner.start(columns: 2, rows: 1, filledWith: files[0])
    let large = try thumbnails(1, side: 128)[0]
    let takesLarge = joiner.add(large, column: 0, row: 0)
    #expect(!takesLarge)
    let plain = try JPEGEncoder().encode(
      RGBImage(width: 64, height: 64, pixels: Array(repeating: 9, count: 64 * 64 * 3)))
    let takesPlain = joiner.add(plain, column: 0, row: 0)
    #expect(!takesPlain)
    #expect(throws: ImagingError.self) { try JPEGJoiner(model: plain) }
    for count in 0..<files[1].count {
      let takesPart = joiner.add(Array(files[1][..<count]), column: 0, row: 0)
      #expect(!takesPart)
    }
    var random = SplitMix64(state: 3)
    for _ in 0..<20_000 {
      var bytes = files[1]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Whatever is taken leaves a file of the right form.
      _ = joiner.add(bytes, column: 1, row: 0)
      _ = try? JPEGJoiner(model: bytes)
    }
    let image = try PictureDecoder().decodeWhole(joiner.finish(), workspace: DecodingWorkspace())
    #expect(image.width == 128 && image.height == 64)
  }

  /// Outside of `#expect`, which doesn't take what changes a value.
  private func half(
    _ decoder: HalfDecoder, _ file: [UInt8], width: Int, height: Int, _ image: inout RGBImage, _ x: Int, _ y: Int
  ) -> Bool {
    decoder.decode(file, width: width, height: height, into: &image, x: x, y: y)
  }

  @Test("half the size is where it was asked for, and nothing else changes")
  func half() throws {
    let file = try thumbnails(1, side: 64)[0]
    let decoder = try HalfDecoder()
    var image = RGBImage(width: 50, height: 40, pixels: Array(repeating: 7, count: 50 * 40 * 3))
    do {
      let isDone = half(decoder, file, width: 64, height: 64, &image, 10, 5)
      #expect(isDone)
    }
    let inside = (5..<37).flatMap { y in (10..<42).map { (y * 50 + $0) * 3 } }
    let outside = Set(stride(from: 0, to: image.pixels.count, by: 3)).subtracting(inside)
    #expect(outside.allSatisfy { image.pixels[$0] == 7 && image.pixels[$0 + 2] == 7 })
    do {
      let isDone = half(decoder, [1, 2, 3], width: 64, height: 64, &image, 0, 0)
      #expect(!isDone)
    }
    do {
      let isDone = half(decoder, file, width: 32, height: 32, &image, 0, 0)
      #expect(!isDone)
    }
    do {
      let isDone = half(decoder, file, width: 64, height: 64, &image, 0, 0)
      #expect(isDone)
    }
  }
}
