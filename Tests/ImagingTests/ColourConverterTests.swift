import CLCMS
import Testing

@testable import Imaging

@Suite("Colour profiles")
struct ColourConverterTests {
  private let pixel = RGBImage(width: 1, height: 1, pixels: [55, 55, 55])

  /// A grey profile with an exponent.
  private func greyProfile(gamma: Double) throws -> [UInt8] {
    let curve = cmsBuildGamma(nil, gamma)
    defer { cmsFreeToneCurve(curve) }
    let profile = try #require(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    defer { cmsCloseProfile(profile) }
    return try InkProfile.saved(profile)
  }

  private func convert(
    _ image: RGBImage, _ converter: ColourConverter, _ space: StoredColours.Space, _ profile: [UInt8]?
  ) -> RGBImage {
    var image = image
    let colours =
      profile?.withUnsafeBytes { converter.colours(space, profile: $0) } ?? converter.colours(space, profile: nil)
    image.pixels.withUnsafeMutableBufferPointer { converter.convert($0, from: colours) }
    return image
  }

  @Test("a linear grey is lightened to sRGB's curve")
  func grey() throws {
    let image = convert(pixel, ColourConverter(), .grey, try greyProfile(gamma: 1))
    // IEC 61966-2-1: 1.055 (55 / 255)^(1 / 2.4) - 0.055.
    for value in image.pixels { #expect(abs(Int(value) - 128) <= 1) }
  }

  @Test("a profile of other colours than the picture's, or a broken one, changes nothing")
  func unsuitable() throws {
    let converter = ColourConverter()
    let profile = try greyProfile(gamma: 1)
    #expect(convert(pixel, converter, .rgb, profile) == pixel)
    for bytes in [Array(profile.prefix(100)), [], nil] {
      #expect(convert(pixel, converter, .grey, bytes) == pixel)
    }
    #expect(profile.withUnsafeBytes { converter.conversion($0, .cmykInverted) } == nil)
  }

  @Test("keeps only the latest conversions, and makes them again")
  func eviction() throws {
    let converter = ColourConverter()
    for round in 0..<2 {
      for step in 1...12 {
        let image = convert(pixel, converter, .grey, try greyProfile(gamma: Double(step) / 4))
        #expect((image.pixels[0] > 60) == (step < 9), "round \(round), gamma \(Double(step) / 4)")
      }
    }
  }

  @Test("inks go through their profile, stored inverted or not")
  func inks() throws {
    let profile = try InkProfile.blackOnly()
    let converter = ColourConverter()
    let row: [UInt8] = [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128]
    for isInverted in [false, true] {
      let conversion = try #require(
        profile.withUnsafeBytes { converter.conversion($0, isInverted ? .cmykInverted : .cmyk) })
      var out = [UInt8](repeating: 7, count: 9)
      conversion.convert(row, to: &out, count: 3)
      // L* of 50 is sRGB's 119.
      for (value, expected) in zip(out, isInverted ? [0, 0, 0, 255, 255, 255] : [255, 255, 255, 0, 0, 0]) {
        #expect(abs(Int(value) - expected) <= 2)
      }
      for value in out[6...] { #expect(abs(Int(value) - 119) <= 3) }
    }
  }
}
