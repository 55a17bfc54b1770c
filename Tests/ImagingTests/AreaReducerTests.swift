import Testing

@testable import Imaging

@Suite("Area average")
struct AreaReducerTests {
  static let sizes = [(1, 1, 128, 128), (7, 3, 128, 128), (500, 375, 128, 128), (129, 127, 128, 128), (2000, 3, 5, 7)]

  @Test("keeps a constant", arguments: sizes)
  func constant(width: Int, height: Int, toWidth: Int, toHeight: Int) {
    for value: UInt8 in [0, 1, 127, 254, 255] {
      let image = RGBImage(width: width, height: height, pixels: Array(repeating: value, count: width * height * 3))
      #expect(TestFiles.reduce(image, width: toWidth, height: toHeight).pixels.allSatisfy { $0 == value })
    }
  }

  @Test("keeps the mean", arguments: sizes)
  func mean(width: Int, height: Int, toWidth: Int, toHeight: Int) {
    let image = TestFiles.noise(width: width, height: height)
    let small = TestFiles.reduce(image, width: toWidth, height: toHeight)
    for channel in 0..<3 {
      #expect(abs(mean(of: image, channel) - mean(of: small, channel)) < 0.5)
    }
  }

  @Test("is the identity at the same size")
  func identity() {
    for side in [1, 3, 100, 257] {
      let image = TestFiles.noise(width: side, height: side)
      #expect(TestFiles.reduce(image, width: side, height: side) == image)
    }
  }

  @Test("repeats pixels when enlarging by a whole number")
  func enlarging() {
    let image = RGBImage(width: 2, height: 1, pixels: [10, 20, 30, 40, 50, 60])
    #expect(TestFiles.reduce(image, width: 4, height: 1).pixels == [10, 20, 30, 10, 20, 30, 40, 50, 60, 40, 50, 60])
  }

  @Test("counts pixels on an edge by the part that is covered")
  func fractions() {
    let image = RGBImage(width: 3, height: 1, pixels: [0, 0, 0, 90, 90, 90, 240, 240, 240])
    // (0 + 90 / 2) / 1.5 and (90 / 2 + 240) / 1.5
    #expect(TestFiles.reduce(image, width: 2, height: 1).pixels == [30, 30, 30, 190, 190, 190])
    let part = AreaReducer.Rectangle(x: 0.5, y: 0, width: 2, height: 1)
    // 0 / 2 + 90 / 2 and 90 / 2 + 240 / 2
    #expect(TestFiles.reduce(image, width: 2, height: 1, part: part).pixels == [45, 45, 45, 165, 165, 165])
  }

  private func mean(of image: RGBImage, _ channel: Int) -> Double {
    let values = stride(from: channel, to: image.pixels.count, by: 3).map { Double(image.pixels[$0]) }
    return values.reduce(0, +) / Double(values.count)
  }
}
