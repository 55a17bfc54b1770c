import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("The time that a picture may take")
struct DecodingPatienceTests {
  @Test("ends, unless there is no limit")
  func limit() throws {
    let patience = DecodingPatience()
    patience.begin(seconds: 0.001)
    usleep(2000)
    #expect(throws: ImagingError.Reason.tooSlow(seconds: 0.001)) { try patience.check() }
    patience.begin(seconds: 0)
    try patience.check()
    patience.begin(seconds: 100)
    try patience.check()
  }

  @Test("ends when nobody wants the picture any more; that is asked now and then")
  func cancellation() throws {
    var questions = 0
    let patience = DecodingPatience {
      questions += 1
      return true
    }
    patience.begin(seconds: 0)
    try patience.check()
    #expect(questions == 0)
    usleep(60_000)
    #expect(throws: ImagingError.Reason.cancelled) { try patience.check() }
    #expect(questions == 1)
  }

  private static let stoppable = Corpus.rows.filter { row in
    row.expectation == .decode
      && ["gen/png/", "gen/gif/", "gen/webp/", "gen/tiff/", "gen/bmp/"].contains { row.name.hasPrefix($0) }
  }

  @Test("holds within the program, for all codecs that decode in parts", .enabled(if: !stoppable.isEmpty, "no corpus"))
  func withinTheProgram() throws {
    var options = DecodingOptions()
    options.maximumSeconds = 1e-9
    let workspace = DecodingWorkspace()
    for row in Self.stoppable {
      let error = #expect(throws: ImagingError.self, "\(row.name)") {
        try PictureDecoder(options: options).decode(fileAt: row.path, workspace: workspace)
      }
      #expect(error?.reason == .tooSlow(seconds: 1e-9), "\(row.name)")
      // What was given up doesn't spoil the next picture.
      #expect(throws: Never.self) { try PictureDecoder().decode(fileAt: row.path, workspace: workspace) }
    }
  }
}
