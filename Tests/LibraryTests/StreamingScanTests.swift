import Foundation
import Imaging
import TestSupport
import Testing

@testable import Library

/// The program that scans by itself, of the build that this test is part of; nil where it wasn't built.
private let scanner = Locations.program.map { String($0.dropLast("kiano-gpu".count)) + "ingestion-benchmark" }
  .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

@Suite("Scans of many files")
struct StreamingScanTests {
  private static let filesInFolder = 1000

  /// Makes empty files, in folders of a thousand.
  private func make(_ folders: Int, in root: URL) throws {
    for folder in 0..<folders {
      let path = root.path + String(format: "/%04d", folder)
      try #require(mkdir(path, 0o700) == 0)
      for file in 0..<Self.filesInFolder {
        let descriptor = open(path + String(format: "/%04d.jpg", file), O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
      }
    }
  }

  /// How much memory a process takes at most that does nothing but scan, in KiB.
  private func peak(_ root: URL, expecting count: Int) throws -> Int {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: scanner!)
    process.arguments = ["scan", root.path]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let fields = text.split(whereSeparator: \.isWhitespace)
    try #require(fields.count == 4, "\(text)")
    #expect(Int(fields[1]) == count)
    return try #require(Int(fields[3]))
  }

  @Test(
    "take no more memory than those of few, and hand the files over in order",
    .enabled(if: scanner != nil, "the program that scans wasn't built"))
  func memory() throws {
    try Locations.withTemporaryFolder { folder in
      let (few, many) = (folder.appendingPathComponent("few"), folder.appendingPathComponent("many"))
      for root in [few, many] { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }
      try make(2, in: few)
      try make(40, in: many)
      let small = try peak(few, expecting: 2 * Self.filesInFolder)
      let large = try peak(many, expecting: 40 * Self.filesInFolder)
      // All paths alone would be 100 bytes each, 4 MiB; measured with 200,000 files too.
      #expect(large - small < 1024, "\(small) KiB for few, \(large) for many")

      var count = 0
      var differences = 0
      _ = try LibraryScanner().visit([BytePath(many.path)]) { file in
        let name = String(format: "%04d/%04d.jpg", count / Self.filesInFolder, count % Self.filesInFolder)
        if !file.path.bytes.suffix(name.utf8.count).elementsEqual(name.utf8) { differences += 1 }
        count += 1
      }
      #expect(count == 40 * Self.filesInFolder)
      #expect(differences == 0)
    }
  }
}
