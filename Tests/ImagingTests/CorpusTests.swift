import Testing

@testable import Imaging

@Suite("Every file of the corpus gives what its manifest says", .enabled(if: !Corpus.rows.isEmpty, "no corpus"))
struct CorpusTests {
  @Test(arguments: Corpus.rows.filter { $0.expectation != .skip })
  func file(_ row: Corpus.Row) throws {
    let picture: DecodedPicture
    do throws(ImagingError) {
      picture = try PictureDecoder().decode(fileAt: row.path, workspace: DecodingWorkspace())
    } catch {
      switch row.expectation {
      case .error, .errorOrDecode: break
      case .decodeOrSkip: #expect(error.isUnsupportedFormat || row.tolerance == nil || isUnknown(error), "\(error)")
      default: #expect(error.isUnsupportedFormat, "\(error)")
      }
      #expect(error.path == row.path)
      return
    }
    #expect(row.expectation != .error)
    guard let tolerance = row.tolerance else { return }
    #expect(picture.width == row.width)
    #expect(picture.height == row.height)
    #expect(picture.completeness == .complete || row.name.contains("truncated") || row.name.contains("no_iend"))
    #expect(distance(TestFiles.reduce(picture.input, width: 1, height: 1), [row.mean]) <= tolerance)
    // The manifest splits odd sizes at a whole pixel, which shows in tiny pictures.
    if min(picture.width, picture.height) < 16, !picture.width.isMultiple(of: 2) { return }
    #expect(distance(TestFiles.reduce(picture.input, width: 2, height: 2), row.quadrants) <= tolerance)
  }

  @Test("no file spoils those after it")
  func oneWorkspace() throws {
    // Forwards and backwards, so that each damaged file comes before each kind of good ones.
    let workspace = DecodingWorkspace()
    let rows = Corpus.rows.filter { $0.expectation != .skip && ($0.width ?? 0) < 10_000 }
    for row in rows + rows.reversed() {
      func outcome(_ workspace: DecodingWorkspace) -> Result<DecodedPicture, ImagingError> {
        Result { () throws(ImagingError) in try PictureDecoder().decode(fileAt: row.path, workspace: workspace) }
      }
      let isSame = outcome(workspace) == outcome(DecodingWorkspace())
      #expect(isSame, "\(row.name)")
    }
  }

  /// Formats that we don't even tell apart, such as TGA, which has no magic number.
  private func isUnknown(_ error: ImagingError) -> Bool {
    if case .notAPicture = error.reason { true } else { false }
  }

  @Test(arguments: Corpus.rows.filter { $0.tolerance != nil && ($0.width ?? 0) * ($0.height ?? 0) <= 200_000 })
  func wholePicture(_ row: Corpus.Row) throws {
    guard let whole = try? TestFiles.decodeWhole(row.path) else { return }
    #expect(whole.width == row.width)
    #expect(whole.height == row.height)
    #expect(distance(TestFiles.reduce(whole, width: 1, height: 1), [row.mean]) <= row.tolerance!)
  }

  /// The largest difference of any channel of any pixel.
  private func distance(_ image: RGBImage, _ colours: [[Int]]) -> Int {
    zip(image.pixels, colours.joined()).map { abs(Int($0) - $1) }.max() ?? .max
  }
}
