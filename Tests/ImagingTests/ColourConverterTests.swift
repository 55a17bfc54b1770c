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
    var count: cmsUInt32Number = 0
    try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
    return bytes
  }

  @Test("a linear grey is lightened to sRGB's curve")
  func grey() throws {
    var image = pixel
    ColourConverter().convert(&image, from: StoredColours(space: .grey, profile: try greyProfile(gamma: 1)))
    // IEC 61966-2-1: 1.055 (55 / 255)^(1 / 2.4) - 0.055.
    for value in image.pixels { #expect(abs(Int(value) - 128) <= 1) }
  }

  @Test("a profile of other colours than the picture's, or a broken one, changes nothing")
  func unsuitable() throws {
    let converter = ColourConverter()
    let profile = try greyProfile(gamma: 1)
    for colours in [
      StoredColours(space: .rgb, profile: profile), StoredColours(space: .grey, profile: Array(profile.prefix(100))),
      StoredColours(space: .grey, profile: []), StoredColours(space: .grey, profile: nil),
    ] {
      var image = pixel
      converter.convert(&image, from: colours)
      #expect(image == pixel)
    }
    #expect(!converter.canConvertInks(profile, isInverted: true))
  }

  @Test("keeps only the latest conversions, and makes them again")
  func eviction() throws {
    let converter = ColourConverter()
    for round in 0..<2 {
      for step in 1...12 {
        var image = pixel
        converter.convert(
          &image, from: StoredColours(space: .grey, profile: try greyProfile(gamma: Double(step) / 4)))
        #expect((image.pixels[0] > 60) == (step < 9), "round \(round), gamma \(Double(step) / 4)")
      }
    }
  }
}
