import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Imaging

@Suite("Decoding in processes of their own")
struct DecoderIsolationTests {
  static let program = Locations.program.map { DecoderIsolation(program: BytePath($0)) }

  private static let isAvailable = ConditionTrait.enabled(if: program != nil, "no built program")

  /// A program that runs a line of shell instead of decoding.
  private func shell(_ line: String) -> DecoderIsolation {
    DecoderIsolation(program: "/bin/sh", arguments: ["-c", line])
  }

  private func withPicture(_ body: (BytePath) throws -> Void) throws {
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("a.png").path)
      try PNGWriter.write(TestFiles.noise(width: 40, height: 30), to: path)
      try body(path)
    }
  }

  private func process(
    _ isolation: DecoderIsolation, _ change: (inout DecodingOptions) -> Void = { _ in }
  ) -> DecoderProcess {
    var options = DecodingOptions()
    change(&options)
    return DecoderProcess(isolation, options: options, gate: ProcessGate(budget: options.maximumWorkingBytes))
  }

  private func reason(_ body: () throws -> some Any) -> ImagingError.Reason? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? ImagingError)?.reason
    }
  }

  @Test("gives what decoding within the process gives", isAvailable, .enabled(if: !Corpus.rows.isEmpty, "no corpus"))
  func sameAsDirect() throws {
    let rows = Corpus.rows.filter { $0.expectation != .skip }
    let isolated = ParallelDecoder(isolation: Self.program, threadCount: 2)
    isolated.decode(rows.map(\.path)) { index, result in
      let direct = Result { () throws(ImagingError) in
        try PictureDecoder().decode(fileAt: rows[index].path, workspace: DecodingWorkspace())
      }
      let isSame = result == direct
      #expect(isSame, "\(rows[index].name)")
    }
  }

  @Test("a process that is killed costs no file, whenever it happens", isAvailable)
  func killed() throws {
    let program = try #require(Self.program).program
    try Locations.withTemporaryFolder { folder in
      let path = BytePath(folder.appendingPathComponent("a.png").path)
      try PNGWriter.write(TestFiles.noise(width: 400, height: 300), to: path)
      // A name of its own, since other tests have children too.
      let link = folder.appendingPathComponent("victim").path
      try #require(program.withCString { symlink($0, link) } == 0)
      let isFinished = Atomic<Bool>(false)
      let killed = Atomic<Int>(0)
      let killer = Thread {
        while !isFinished.load(ordering: .relaxed) {
          usleep(200_000)
          for child in Self.children(named: "victim") {
            kill(child, SIGKILL)
            killed.add(1, ordering: .relaxed)
          }
        }
      }
      killer.start()
      defer { isFinished.store(true, ordering: .relaxed) }
      var failures = 0
      let decoder = ParallelDecoder(isolation: DecoderIsolation(program: BytePath(link)), threadCount: 2)
      decoder.decode(Array(repeating: path, count: 600)) { _, result in
        if case .failure = result { failures += 1 }
      }
      #expect(killed.load(ordering: .relaxed) > 0)
      // On a busy machine the same file may meet it twice.
      #expect(failures <= killed.load(ordering: .relaxed) / 4)
    }
  }

  /// The children of this process that have a name; those of other tests have others.
  private static func children(named name: String) -> [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { id in
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let close = text.lastIndex(of: ")")
      else { return false }
      return text[text.index(after: close)...].split(separator: " ")[1] == "\(getpid())" && text.contains("(\(name))")
    }
  }

  @Test("one that crashes costs the file, and says how")
  func crashing() throws {
    try withPicture { path in
      let decoder = process(shell("kill -SEGV $$"))
      for _ in 0..<2 {
        guard case .decoderEnded(let words)? = reason({ try decoder.decode(fileAt: path) }) else {
          Issue.record("a crash is a failure")
          return
        }
        #expect(words.contains("signal 11"))
      }
      #expect("\(reason { try process(shell("exit 7")).decode(fileAt: path) }!)".contains("code 7"))
    }
  }

  @Test("one that hangs is given up after the time allowed, and is gone")
  func hanging() throws {
    try withPicture { path in
      let decoder = process(shell("exec sleep 1000")) { $0.maximumSeconds = 0.2 }
      #expect(reason { try decoder.decode(fileAt: path) } == .tooSlow(seconds: 0.2))
      #expect(Self.children(named: "sleep").isEmpty)
    }
  }

  @Test("one that is at work when the run is cancelled is ended")
  func cancelled() throws {
    try withPicture { path in
      let decoder = DecoderProcess(
        shell("exec tail -f /dev/null"), options: DecodingOptions(), gate: ProcessGate(budget: 0), isCancelled: { true }
      )
      let start = ContinuousClock.now
      #expect(reason { try decoder.decode(fileAt: path) } == .cancelled)
      #expect(ContinuousClock.now - start < .seconds(30))
    }
  }

  @Test(
    "one that talks nonsense is not believed", arguments: ["cat", "echo nonsense >&0", "yes >&0", "cat /dev/zero >&0"])
  func nonsense(line: String) throws {
    try withPicture { path in
      let decoder = process(shell(line)) { $0.maximumSeconds = 2 }
      switch reason({ try decoder.decode(fileAt: path) }) {
      case .decoderEnded, .tooSlow: break
      case let other: Issue.record("\(String(describing: other))")
      }
    }
  }

  @Test("one that can't be started is a failure of its own, not of the file")
  func missing() throws {
    let error = ImagingError(
      path: nil, reason: try #require(reason { try process(DecoderIsolation(program: "/nowhere")).decode(fileAt: "x") })
    )
    #expect("\(error)".contains("can't be started"))
  }

  @Test("large pictures are asked for, and pass the gate", isAvailable, .enabled(if: !Corpus.rows.isEmpty, "no corpus"))
  func large() throws {
    let row = try #require(Corpus.row("gen/size/large_12000x9000_prog.jpg"))
    let gate = CountingGate()
    let decoder = DecoderProcess(try #require(Self.program), options: DecodingOptions(), gate: gate)
    for _ in 0..<2 { #expect(try decoder.decode(fileAt: row.path).width == row.width) }
    // Its coefficients alone are 12000 x 9000 x 1.5 x 2 bytes.
    #expect(gate.entered.load(ordering: .relaxed) > 2 * 324_000_000)
    #expect(gate.left.load(ordering: .relaxed) == gate.entered.load(ordering: .relaxed))
  }

  private final class CountingGate: LargePictureGate {
    let entered = Atomic<Int>(0)
    let left = Atomic<Int>(0)
    func enter(bytes: Int) { entered.add(bytes, ordering: .relaxed) }
    func leave(bytes: Int) { left.add(bytes, ordering: .relaxed) }
  }

  @Test("messages come back as they were; anything else is no message")
  func messages() {
    var options = DecodingOptions()
    (options.framing, options.maximumSeconds, options.prefersEmbeddedThumbnails) = (.centreCrop, 1.5, true)
    let file = FileIdentity(device: .max, inode: 1 << 63, size: 5, modifiedNanoseconds: -1)
    let picture = PictureFacts(
      source: file, contentHash: ContentHash(high: 1 << 63, low: 2), width: 3, height: 2, format: .webp,
      orientation: .transposed, takenAt: nil, completeness: .partial("cut"))
    let reasons: [ImagingError.Reason] = [
      .unreadable(errno: EACCES), .notAFile, .empty, .notAPicture(looksLike: nil), .notAPicture(looksLike: "a page"),
      .noCodec(.jpegXL), .unsupported(.tiff, "two\nlines"), .tooManyBytes(1, limit: 2),
      .tooManyPixels(width: 1, height: 2, limit: 3), .tooMuchMemory(bytes: 1, limit: 2), .damaged("x"),
      .unwritable("y"), .tooSlow(seconds: 2.5), .decoderEnded("z"), .changing, .decoderUnavailable("z"),
    ]
    let messages: [DecoderMessage] =
      [.options(options), .decode(BytePath([0xFF, 1])), .large(bytes: 5), .proceed, .picture(picture)]
      + reasons.flatMap { [.failure($0, nil), .failure($0, file)] }
    for message in messages {
      var encoder = ByteEncoder()
      message.encode(to: &encoder)
      let bytes = encoder.bytes
      #expect(DecoderMessage(bytes[...]) == message)
      #expect(DecoderMessage(bytes.dropLast()) == nil)
      #expect(DecoderMessage((bytes + [0])[...]) == nil)
    }
  }
}
