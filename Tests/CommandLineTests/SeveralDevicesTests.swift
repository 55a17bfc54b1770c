import Foundation
import TestSupport
import Testing

/// Several devices at once, for which contexts of one device stand.
@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"))
struct SeveralDevicesTests {
  /// The ids of three devices, and a run of the program that has them.
  private func withDevices(_ body: (Program, [String]) throws -> Void) throws {
    try Program.inTemporaryFolder { bare in
      var program = bare
      program.environment["KIANO_DEVICE_COPIES"] = "3"
      let listed = try program.run("devices", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any]
      let devices = try #require(document?["devices"] as? [[String: Any]])
      let ids = devices.compactMap { $0["id"] as? String }
      #expect(Set(ids).count == ids.count && ids.count.isMultiple(of: 3))
      try body(program, ids)
    }
  }

  private func checksum(
    _ program: Program, _ device: String, faults: String = "", location: SourceLocation = #_sourceLocation
  ) throws -> (checksum: String, errors: String) {
    var program = program
    program.environment["KIANO_INJECT_FAULTS"] = faults
    let map = "map-\(UUID().uuidString)"
    let outcome = try program.run("sort", "pictures", "-q", "-o", map, "--device", device)
    #expect(outcome.status == 0, "\(device): \(outcome.errors)", sourceLocation: location)
    return (try MapJSON(program.file(map)).checksum, outcome.errors)
  }

  @Test func theirNumberDoesNotMatter() throws {
    try withDevices { program, ids in
      try program.makePictures(150, in: "pictures")
      let right = try checksum(program, "auto").checksum
      for device in [ids[1], ids[2] + "," + ids[0], ids.prefix(3).joined(separator: ","), "auto,\(ids[2])"] {
        let (found, errors) = try checksum(program, device)
        #expect(found == right && errors.isEmpty, "\(device): \(errors)")
      }
    }
  }

  @Test func oneThatFailsLeavesItsPicturesToTheOthers() throws {
    try withDevices { program, ids in
      try program.makePictures(150, in: "pictures")
      let right = try checksum(program, ids[0]).checksum
      for faults in ["lost:40+@\(ids[0])", "enqueue:1+@\(ids[1])", "context:1+@\(ids[1])"] {
        let (found, errors) = try checksum(program, ids[0] + "," + ids[1], faults: faults)
        #expect(found == right, "\(faults)")
        #expect(errors.contains("on the other devices") || errors.contains("passed over"), "\(faults): \(errors)")
      }
      // Another takes its place where that is left to the program.
      let (found, errors) = try checksum(program, "auto", faults: "lost:40+@\(ids[0])")
      #expect(found == right && errors.contains("on another device"), "\(errors)")
    }
  }

  @Test func theRunEndsWhereNoneIsLeftOrThere() throws {
    try withDevices { program, ids in
      try program.makePictures(40, in: "pictures")
      var failing = program
      failing.environment["KIANO_INJECT_FAULTS"] = "lost:1+"
      let words = ["sort", "pictures", "--device"]
      #expect(try failing.run(words: words + [ids[0] + "," + ids[1]]).status == 5)
      // No batch of it goes to plain Swift instead.
      failing.environment["KIANO_INJECT_FAULTS"] = "wrong:1+"
      #expect(try failing.run("index", "pictures", "-o", "map", "--device", ids[0] + "," + ids[1]).status == 5)
      let left = try program.run("index", "pictures", "-o", "map", "--json").output
      #expect(left.contains("\"computed\" : 40"), "\(left)")
      for (device, words) in [
        ("no such", "no device is"), ("none,\(ids[0])", "no device is"),
        (ids[0] + "," + ids[0], "names a device that is there already"),
      ] {
        let outcome = try program.run(words: ["sort", "pictures", "--device", device])
        #expect(outcome.status == 5 && outcome.errors.contains(words), "\(device): \(outcome.errors)")
      }
    }
  }
}
