import Arguments
import Engine
import Imaging

/// `formats`: what pictures this build reads, and with what.
struct Formats: Verb {
  static let configuration = CommandConfiguration(
    name: "formats", abstract: "List the formats of pictures that this build reads",
    discussion: """
      What a file is, its first bytes say. The name only decides whether a scan looks into the file at all: these are \
      the endings by which it does (--any-extension looks into every file).

      Of animations and of files with several pages the first picture is taken. RAW files, films and sidecar files are \
      passed over and counted.
      """)

  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    let formats = ImageCodecs.formats
    if display.json {
      try JSONDocument.print(
        Document(
          formats: formats.map {
            .init(name: $0.format.name, extensions: $0.format.fileExtensions, library: $0.library)
          }, colours: ImageCodecs.colourLibrary))
      return
    }
    for (format, library) in formats {
      let reader = library ?? "not read by this build"
      Console.print(
        format.name.padding(toLength: 11, withPad: " ", startingAt: 0)
          + reader.padding(toLength: 30, withPad: " ", startingAt: 0)
          + format.fileExtensions.map { "." + $0 }.joined(separator: " "))
    }
    Console.print("colour profiles through \(ImageCodecs.colourLibrary)")
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Entry: Encodable {
      let name: String
      let extensions: [String]
      /// Nil where this build can't read the format.
      let library: String?
    }
    let schema = JSONDocument.schema
    let formats: [Entry]
    let colours: String
  }
}
