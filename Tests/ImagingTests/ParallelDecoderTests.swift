import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Imaging

@Suite("Decoding on several threads")
struct ParallelDecoderTests {
  /// Makes `count` PNG files of different widths in a folder; every `brokenEvery`th is no picture.
  private func files(_ count: Int, in folder: URL, brokenEvery: Int = .max) throws -> [BytePath] {
    try (0..<count).map { index in
      let url = folder.appendingPathComponent("\(index).png")
      if index % brokenEvery == brokenEvery - 1 {
        try Data("no picture".utf8).write(to: url)
      } else {
        try PNGWriter.write(TestFiles.noise(width: 1 + index % 97, height: 20), to: BytePath(url.path), compression: 0)
      }
      return BytePath(url.path)
    }
  }

  @Test("hands the results over in order, bad files among them", arguments: [1, 2, 7])
  func order(threads: Int) throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(150, in: folder, brokenEvery: 10)
      var seen: [Int] = []
      let count = ParallelDecoder(threadCount: threads, window: 8).decode(paths) { index, result in
        seen.append(index)
        switch result {
        case .success(let picture): #expect(picture.width == 1 + index % 97)
        case .failure(let error):
          #expect(index % 10 == 9)
          #expect(error.path == paths[index])
        }
      }
      #expect(count == 150)
      #expect(seen == Array(0..<150))
    }
  }

  @Test("gives what one thread gives")
  func sameAsOne() throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(20, in: folder)
      ParallelDecoder(threadCount: 4).decode(paths) { index, result in
        #expect(try! result.get() == PictureDecoder().decode(fileAt: paths[index], workspace: DecodingWorkspace()))
      }
    }
  }

  @Test("results that are kept stay as they were, though their memory is used again")
  func kept() throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(60, in: folder)
      var pictures: [DecodedPicture] = []
      ParallelDecoder(threadCount: 2, window: 3).decode(paths) { index, result in
        if index % 3 == 0 { pictures.append(try! result.get()) }
      }
      for (number, picture) in pictures.enumerated() {
        let expected = try PictureDecoder().decode(fileAt: paths[number * 3], workspace: DecodingWorkspace())
        #expect(picture == expected)
      }
    }
  }

  @Test("stops when asked to")
  func cancel() throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(60, in: folder)
      let isCancelled = Atomic<Bool>(false)
      var seen = 0
      let count = ParallelDecoder(threadCount: 3, window: 5).decode(
        paths, isCancelled: { isCancelled.load(ordering: .relaxed) }
      ) { _, _ in
        seen += 1
        if seen == 10 { isCancelled.store(true, ordering: .relaxed) }
      }
      #expect(count == 10)
      #expect(seen == 10)
    }
  }

  @Test("stops when cancelled by another thread while it waits")
  func cancelFromOutside() throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(60, in: folder)
      for limit in 0..<40 {
        let asked = Atomic<Int>(0)
        let count = ParallelDecoder(threadCount: 3, window: 4).decode(
          paths, isCancelled: { asked.add(1, ordering: .relaxed).newValue > limit }
        ) { _, _ in }
        #expect(count <= limit)
      }
    }
  }

  @Test("ends with the consumer's error")
  func consumerFails() throws {
    struct Stop: Error {}
    try Locations.withTemporaryFolder { folder in
      let paths = try files(30, in: folder)
      #expect(throws: Stop.self) {
        try ParallelDecoder(threadCount: 2).decode(paths) { index, _ in if index == 3 { throw Stop() } }
      }
    }
  }

  @Test("takes no files at all")
  func none() {
    #expect(ParallelDecoder().decode([]) { _, _ in } == 0)
  }

  @Test("never runs further ahead than its window")
  func backPressure() throws {
    try Locations.withTemporaryFolder { folder in
      let paths = try files(40, in: folder)
      let decoder = ParallelDecoder(threadCount: 2, window: 4)
      func hidden(_ index: Int) -> String { "\(paths[index])-hidden" }
      // Files appear only when it may be their turn: one that is begun earlier isn't there.
      for index in decoder.window + 1..<paths.count {
        try FileManager.default.moveItem(atPath: "\(paths[index])", toPath: hidden(index))
      }
      try decoder.decode(paths) { index, result in
        #expect(throws: Never.self) { try result.get() }
        Thread.sleep(forTimeInterval: 0.002)
        // File `index + window` may have been begun when this one was handed over, and the next is for the next.
        let next = index + decoder.window + 1
        if next < paths.count { try FileManager.default.moveItem(atPath: hidden(next), toPath: "\(paths[next])") }
      }
    }
  }
}
