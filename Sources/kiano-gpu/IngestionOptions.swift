import Arguments
import Engine
import Imaging
import Library

/// Which files are taken, and how they are decoded.
struct IngestionOptions {
  @Option(
    .long("exclude"), valueName: "PATTERN",
    help: "Leave out what matches; patterns are those of .gitignore; may be repeated")
  var excluded: [Pattern] = []
  @Option(
    .long("include"), valueName: "PATTERN", help: "Take back what any other rule leaves out; may be repeated",
    isAdvanced: true)
  var included: [Pattern] = []
  @Option(
    .long("exclude-from"), valueName: "FILE", help: "Patterns from a file, one a line; may be repeated",
    isAdvanced: true)
  var patternFiles: [BytePath] = []
  @Option(.long("files-from"), valueName: "FILE", help: "Take the files that FILE names, one a line; - reads them")
  var list: BytePath?
  @Flag(.short("0"), .long("null"), help: "Names of --files-from end with a zero byte", isAdvanced: true) var zeros:
    Bool
  @Flag(.long("follow"), help: "Follow symbolic links; each file counts once", isAdvanced: true) var follows: Bool
  @Flag(.long("one-file-system"), help: "Stay on each folder's file system", isAdvanced: true) var staysOnFileSystem:
    Bool
  @Option(
    .long("max-depth"), valueName: "N", help: "Levels of folders to look into; 1 for the folder alone", isAdvanced: true
  )
  var depth: Int?
  @Flag(.long("hidden"), help: "Take files and folders whose name begins with a dot", isAdvanced: true) var hidden: Bool
  @Flag(.long("any-extension"), help: "Look into files whose name doesn't say that they are pictures", isAdvanced: true)
  var any: Bool
  @Option(
    .long("max-pixels"), valueName: "N", help: "Refuse pictures that declare more pixels, such as 600M",
    isAdvanced: true, setting: "max-pixels")
  var pixels: Quantity?
  @Option(
    .long("memory"), valueName: "N", help: "Refuse pictures that take more memory to decode, such as 4G",
    isAdvanced: true, setting: "memory")
  var memory: Quantity?
  @Option(
    .long("timeout"), valueName: "SECONDS", help: "Give a picture up after so long; 0 for never", isAdvanced: true,
    setting: "timeout")
  var timeout: Double = 60
  @Flag(.long("fast"), help: "Make do with the thumbnails that cameras put into files", isAdvanced: true) var fast: Bool
  @Flag(
    .long("isolate"), help: "Decode in processes of their own, which may crash or hang; the default", isAdvanced: true)
  var isolates: Bool
  @Flag(.long("no-isolate"), help: "Decode within the program: less work, but crashes end it", isAdvanced: true)
  var mixes: Bool

  func validate() throws(UsageError) {
    if isolates, mixes { throw UsageError("--isolate and --no-isolate exclude each other") }
    if zeros, list == nil { throw UsageError("-0 says how --files-from is written") }
    if let depth, depth < 1 { throw UsageError("--max-depth takes a number from 1") }
    if !(0...86_400).contains(timeout) { throw UsageError("--timeout takes a number of seconds up to 86400") }
    if let pixels, pixels.decimal < 1 { throw UsageError("--max-pixels takes a number from 1") }
    if let memory, memory.binary < 64 << 20 { throw UsageError("--memory takes 64M or more") }
  }

  /// - Throws: where a file of patterns can't be read.
  func settings() throws -> IngestionSettings {
    var settings = IngestionSettings()
    for file in patternFiles { settings.scan.patterns += try IgnoreFile.read(file) }
    settings.scan.patterns += excluded.compactMap { IgnorePattern(argument: $0.bytes, takes: false) }
    settings.scan.patterns += included.compactMap { IgnorePattern(argument: $0.bytes, takes: true) }
    settings.scan.followsLinks = follows
    settings.scan.staysOnFileSystem = staysOnFileSystem
    settings.scan.maximumDepth = depth
    settings.scan.takesHidden = hidden
    settings.scan.looksIntoUnknownFiles = any
    settings.list = list.map { ($0, zeros ? .zero : .newline) }
    if let pixels { settings.decoding.maximumPixels = pixels.decimal }
    if let memory { settings.decoding.maximumWorkingBytes = memory.binary }
    settings.decoding.maximumSeconds = timeout
    settings.decoding.prefersEmbeddedThumbnails = fast
    settings.isolation = mixes ? nil : .ofThisProgram
    return settings
  }
}

/// The bytes of a pattern that is one.
struct Pattern: ExpressibleByArgument {
  let bytes: [UInt8]

  init?(argument: [UInt8]) {
    guard IgnorePattern(argument: argument, takes: false) != nil else { return nil }
    bytes = argument
  }
}

/// A number as a person writes it: 4G, 1.5M, 300k, 4GiB.
struct Quantity: ExpressibleByArgument, Equatable {
  private let number: Double
  /// 1 for kilo, 2 for mega ...
  private let power: Int

  init?(argument: [UInt8]) {
    var text = String(decoding: argument, as: UTF8.self).lowercased()
    if text.hasSuffix("ib") { text.removeLast(2) } else if text.hasSuffix("b") { text.removeLast() }
    let unit = "kmgt".firstIndex { $0 == text.last }
    power = unit.map { "kmgt".distance(from: "kmgt".startIndex, to: $0) + 1 } ?? 0
    if unit != nil { text.removeLast() }
    guard let number = Double(text), number.isFinite, number >= 0 else { return nil }
    self.number = number
  }

  /// With steps of 1000, as one counts pixels.
  var decimal: Int { scaled(by: 1000) }
  /// With steps of 1024, as one counts memory.
  var binary: Int { scaled(by: 1024) }

  private func scaled(by step: Double) -> Int {
    var value = number
    for _ in 0..<power { value *= step }
    return Int(min(value, 0x1p62))
  }
}
