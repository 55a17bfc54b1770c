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
    return try saved(profile)
  }

  private func saved(_ profile: cmsHPROFILE) throws -> [UInt8] {
    var count: cmsUInt32Number = 0
    try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
    return bytes
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

  /// A profile in which black ink alone counts: as much as it takes away of the light, in L*.
  private func inkProfile() throws -> [UInt8] {
    let profile = try #require(cmsCreateProfilePlaceholder(nil))
    defer { cmsCloseProfile(profile) }
    cmsSetProfileVersion(profile, 4.3)
    cmsSetDeviceClass(profile, cmsSigOutputClass)
    cmsSetColorSpace(profile, cmsSigCmykData)
    cmsSetPCS(profile, cmsSigLabData)
    let pipeline = cmsPipelineAlloc(nil, 4, 3)
    defer { cmsPipelineFree(pipeline) }
    let table = cmsStageAllocCLut16bit(nil, 2, 4, 3, nil)
    cmsStageSampleCLut16bit(
      table,
      { inks, lab, _ in
        lab![0] = 0xFFFF - inks![3]
        lab![1] = 0x8080
        lab![2] = 0x8080
        return 1
      }, nil, 0)
    // A table is saved between curves only.
    for stage in [cmsStageAllocToneCurves(nil, 4, nil), table, cmsStageAllocToneCurves(nil, 3, nil)] {
      cmsPipelineInsertStage(pipeline, cmsAT_END, stage)
    }
    try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
    return try saved(profile)
  }

  @Test("inks go through their profile, stored inverted or not")
  func inks() throws {
    let profile = try inkProfile()
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
