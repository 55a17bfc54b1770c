import Imaging

/// What a file's name says that it is. Contents count for more, but looking into each file of a library takes longer
/// than listing it.
enum FileKind {
  case picture
  case left(SkippedKind)

  /// Sorts by the extension; a name without one, or with one that we don't know, is `.other`.
  init(_ path: BytePath) {
    guard let ending = path.fileExtension else {
      self = .left(.other)
      return
    }
    if Self.pictures.contains(ending) {
      self = .picture
    } else if Self.videos.contains(ending) {
      self = .left(.video)
    } else if Self.raws.contains(ending) {
      self = .left(.raw)
    } else if Self.sidecars.contains(ending) {
      self = .left(.sidecar)
    } else {
      self = .left(.other)
    }
  }

  private static let pictures = Set(ImageFormat.allCases.flatMap(\.fileExtensions))

  private static let videos: Set = [
    "3g2", "3gp", "avi", "flv", "insv", "lrv", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "ogv", "vob",
    "webm", "wmv",
  ]

  private static let raws: Set = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "k25", "kdc", "mef", "mos", "mrw",
    "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]

  private static let sidecars: Set = [
    "aae", "cos", "dop", "icloud", "json", "on1", "pp3", "thm", "txt", "xml", "xmp",
  ]
}
