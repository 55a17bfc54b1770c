import Testing

@testable import Imaging

@Suite("Orientation")
struct OrientationTests {
  @Test("followed by its inverse changes nothing", arguments: Orientation.allCases)
  func inverse(_ orientation: Orientation) {
    let image = TestFiles.noise(width: 5, height: 3)
    let turned = orientation.apply(to: image)
    #expect(turned.width == (orientation.swapsSides ? 3 : 5))
    #expect(orientation.inverse.apply(to: turned) == image)
    #expect(orientation == .upright || turned != image)
  }

  @Test("6 means that the stored left edge is the upright top")
  func clockwise() {
    let image = RGBImage(width: 1, height: 2, pixels: [1, 1, 1, 2, 2, 2])
    #expect(Orientation.rotated90Clockwise.apply(to: image).pixels == [2, 2, 2, 1, 1, 1])
  }

  @Test("values outside 1...8 mean upright", arguments: [-1, 0, 9, 65_535])
  func invalid(_ tag: Int) {
    #expect(Orientation(tag: tag) == .upright)
  }
}
