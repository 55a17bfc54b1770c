import Foundation
import TestSupport
import Testing

@testable import Imaging

/// The program that counts, of the build that this test is part of; nil where it wasn't built.
private let counter = Locations.program.map { String($0.dropLast("kiano-gpu".count)) + "allocation-count" }
  .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

@Suite("Memory is asked for", .enabled(if: counter != nil, "the program that counts wasn't built"))
struct AllocationTests {
  @Test("by our code a few times a run, not for each JPEG file", arguments: [false, true])
  func steadyState(isIsolated: Bool) throws {
    try Locations.withTemporaryFolder { folder in
      let encoder = try JPEGEncoder()
      let count = 200
      for index in 0..<count {
        // The second half is like the first, as most of a library is.
        let image = TestFiles.noise(width: 300 + index % 2 * 8, height: 200)
        let url = folder.appendingPathComponent("\(index).jpg")
        try Data(try encoder.encode(image)).write(to: url)
      }
      let output = Pipe()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: counter!)
      process.arguments = [folder.path] + (isIsolated ? [Locations.program!] : [])
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let lines = text.split(separator: "\n").map { $0.split(separator: "\t") }
      let own = try #require(lines.first { $0.first == "own" }.flatMap { Int($0[1]) })
      #expect(own < count / 4, "\(text)")
    }
  }
}
