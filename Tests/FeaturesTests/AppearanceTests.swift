import Foundation
import Testing

@testable import Features

struct AppearanceTests {
  @Test func integerOklabIsOklab() {
    for index in 0..<200 {
      let rgb = noise(3, seed: UInt64(index + 1)).map { Double(Oklab.linearTable[Int($0)]) / 65535 }
      let colour = Oklab(
        linear: UInt32(rgb[0] * 65535 * 16), UInt32(rgb[1] * 65535 * 16), UInt32(rgb[2] * 65535 * 16))
      let l = cbrt(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2])
      let m = cbrt(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2])
      let s = cbrt(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2])
      let expected = [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
      ]
      for (value, expected) in zip([colour.lightness, colour.a, colour.b], expected) {
        #expect(abs(Double(value) / Double(Oklab.one) - expected) < 0.003)
      }
    }
  }

  @Test func whiteAndBlackHaveNoColour() {
    let white = Oklab(linear: 65535 * 16, 65535 * 16, 65535 * 16)
    #expect((white.lightness, white.a, white.b) == (Oklab.one, 0, 0))
    let black = Oklab(linear: 0, 0, 0)
    #expect((black.lightness, black.a, black.b) == (0, 0, 0))
  }

  @Test func cubeRootIsExact() {
    for root in UInt32(0)...1625 {
      #expect(cubeRoot(root * root * root) == root)
      if root > 0 { #expect(cubeRoot(root * root * root - 1) == root - 1) }
    }
    #expect(cubeRoot(.max) == 1625)
  }

  @Test func edgesAreNamedByDirection() {
    let (low, high) = (Int32(0), Oklab.one)
    func kind(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> EdgeKind? {
      EdgeKind(topLeft: a, topRight: b, bottomLeft: c, bottomRight: d)
    }
    #expect(kind(high, low, high, low) == .vertical)
    #expect(kind(high, high, low, low) == .horizontal)
    #expect(kind(high, high / 2, high / 2, low) == .diagonal45)
    #expect(kind(high / 2, high, low, high / 2) == .diagonal135)
    #expect(kind(high, low, low, high) == .nondirectional)
    #expect(kind(high, high, high, high) == nil)
  }

  @Test(arguments: [32, 128, 130, 224])
  func flatPictureHasOnlyALightness(size: Int) {
    let grey = [UInt8](repeating: 119, count: size * size * 3)
    let bytes = AppearanceVector.bytes(grey, size: size)
    #expect(Set(bytes[0..<4]).count == 1)
    #expect(Array(bytes[4..<12]) == [UInt8](repeating: 128, count: 8))
    // Between middling and light; no hue.
    let colours = Array(bytes[12..<30])
    #expect(colours.indices.filter { colours[$0] > 0 } == [6, 12])
    // Square roots of two shares that are one together.
    let (middling, light) = (Int(colours[6]), Int(colours[12]))
    let whole = middling * middling + light * light
    #expect((64_400...65_600).contains(whole))
    #expect(Array(bytes[30...]) == [UInt8](repeating: 0, count: 20))
  }

  @Test func squareRootIsExact() {
    for root in UInt32(1)...8192 {
      #expect(squareRoot(root * root) == root)
      #expect(squareRoot(root * root - 1) == root - 1)
    }
    #expect(squareRoot(0) == 0)
  }

  @Test func everyColourAddsTheSame() {
    for index in 0..<500 {
      let rgb = noise(3, seed: UInt64(index + 1)).map { UInt32(Oklab.linearTable[Int($0)]) * 16 }
      var shares = ColourShares()
      shares.add(Oklab(linear: rgb[0], rgb[1], rgb[2]))
      #expect(shares.masses.reduce(0, +) == 1 << 16)
      #expect(shares.masses.allSatisfy { $0 >= 0 })
    }
  }

  @Test func huesGoRoundWithoutAJump() {
    var last: [Int32]?
    for step in 0...400 {
      let angle = Double(step) / 400 * 2 * .pi
      var shares = ColourShares()
      // The halves of a linear colour whose hue goes round.
      func channel(_ phase: Double) -> UInt32 { UInt32((1 + cos(angle + phase)) / 2 * 65535 * 16) }
      shares.add(Oklab(linear: channel(0), channel(2 * .pi / 3), channel(4 * .pi / 3)))
      if let last {
        for (a, b) in zip(shares.masses, last) { #expect(abs(a - b) < 6000, "step \(step)") }
      }
      last = shares.masses
    }
  }

  @Test func sizeOfThePictureHardlyMatters() {
    func gradient(_ size: Int) -> [UInt8] {
      (0..<size * size).flatMap { pixel -> [UInt8] in
        let (y, x) = (255 * (pixel / size) / size, 255 * (pixel % size) / size)
        return [UInt8(y), UInt8(x), UInt8(255 - y)]
      }
    }
    let small = AppearanceVector.bytes(gradient(128), size: 128)
    let large = AppearanceVector.bytes(gradient(224), size: 224)
    for (a, b) in zip(small, large) { #expect(abs(Int(a) - Int(b)) < 8) }
  }

  @Test func edgesOfStripesAreCounted() {
    // Stripes of one block each: every window within a cell is a vertical edge, 144 in a quarter.
    let stripes = (0..<128 * 128).flatMap { pixel in [UInt8](repeating: pixel / 4 % 2 == 0 ? 0 : 255, count: 3) }
    let bytes = AppearanceVector.bytes(stripes, size: 128)
    #expect(Array(bytes[30...]) == (0..<4).flatMap { _ in [252, 0, 0, 0, 0] as [UInt8] })
  }
}
