#if canImport(CTIFF)
  import CLCMS
  import Testing

  @testable import Imaging

  @Suite("TIFF files of four inks")
  struct TIFFInkTests {
    /// A little-endian file of one strip, or of a plane for each ink, or with one more sample.
    private func file(
      _ inks: [[UInt8]], width: Int, isPlanar: Bool = false, samples: Int = 4, profile: [UInt8] = []
    ) -> [UInt8] {
      func number(_ value: Int, _ length: Int) -> [UInt8] { (0..<length).map { UInt8(value >> (8 * $0) & 255) } }
      let height = inks.count / width
      let extra = Array(repeating: UInt8(77), count: samples - 4)
      let pixels =
        isPlanar ? Array((0..<4).map { ink in inks.map { $0[ink] } }.joined()) : Array(inks.map { $0 + extra }.joined())
      // Behind the pixels: bits of each sample, where each plane is and how long, the profile.
      let start = 8 + pixels.count
      let bits = Array(repeating: number(8, 2), count: samples).flatMap { $0 }
      let planes = isPlanar ? 4 : 1
      let offsets = (0..<planes).flatMap { number(8 + $0 * inks.count, 4) }
      let counts = (0..<planes).flatMap { _ in number(pixels.count / planes, 4) }
      let places = [start, start + bits.count, start + bits.count + offsets.count]
      let profilePlace = places[2] + counts.count
      var entries = [
        (256, 3, 1, width), (257, 3, 1, height), (258, 3, samples, places[0]), (259, 3, 1, 1), (262, 3, 1, 5),
        (273, 4, planes, planes == 1 ? 8 : places[1]), (277, 3, 1, samples), (278, 3, 1, height),
        (279, 4, planes, planes == 1 ? pixels.count : places[2]), (284, 3, 1, isPlanar ? 2 : 1), (332, 3, 1, 1),
      ]
      if samples > 4 { entries.append((338, 3, 1, 0)) }
      if !profile.isEmpty { entries.append((34675, 7, profile.count, profilePlace)) }
      let directory = profilePlace + profile.count + profile.count % 2
      var bytes = Array("II".utf8) + number(42, 2) + number(directory, 4) + pixels + bits + offsets + counts + profile
      bytes += Array(repeating: 0, count: profile.count % 2) + number(entries.count, 2)
      for (tag, type, count, value) in entries {
        bytes += number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
      }
      return bytes + number(0, 4)
    }

    private func decode(_ bytes: [UInt8]) throws -> [UInt8] {
      try PictureDecoder().decodeWhole(bytes, workspace: DecodingWorkspace()).pixels
    }

    private let inks: [[UInt8]] =
      [[0, 0, 0, 0], [255, 0, 0, 0], [0, 255, 255, 0], [0, 0, 0, 128], [9, 8, 7, 255]]
      + [[0, 0, 255, 51]]

    @Test("take each ink's share of the light where there is no profile, however they are stored")
    func withoutProfile() throws {
      let light: [UInt8] = [255, 255, 255, 0, 255, 255, 255, 0, 0, 127, 127, 127, 0, 0, 0, 204, 204, 0]
      #expect(try decode(file(inks, width: 3)) == light)
      #expect(try decode(file(inks, width: 3, isPlanar: true)) == light)
      #expect(try decode(file(inks, width: 2, samples: 5)) == light)
    }

    @Test("go through their profile; one of other colours doesn't count")
    func withProfile() throws {
      let profile = try InkProfile.blackOnly()
      for isPlanar in [false, true] {
        let pixels = try decode(file(inks, width: 3, isPlanar: isPlanar, profile: profile))
        // Only black counts, as much as it takes of L*: 50 of it is sRGB's 119, 80 is 198.
        for (pixel, expected) in [255, 255, 255, 119, 0, 198].enumerated() {
          for channel in 0..<3 { #expect(abs(Int(pixels[pixel * 3 + channel]) - expected) <= 3, "\(pixel)") }
        }
      }
      let plain = try decode(file(inks, width: 3))
      #expect(try decode(file(inks, width: 3, profile: Array(profile.prefix(64)))) == plain)
    }
  }
#endif
