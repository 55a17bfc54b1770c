import Imaging

/// One line of a `.kianoignore` file, or of `--exclude` and `--include`: a pattern as `.gitignore` has them.
///
/// - `*` stands for any bytes but `/`, `?` for one such byte, `[a-z]` for one of a set, `[!a-z]` or `[^a-z]` for one
///   outside of it. `\` takes the next byte as it is.
/// - A pattern without `/`, or with one at its end only, is compared with the name at any depth. Any other is compared
///   with the path from the folder that holds the `.kianoignore`, or from the root of the scan; a `/` at its beginning
///   says nothing more.
/// - `**/` stands for no, one or several folders, and `/**` at the end for everything inside.
/// - A `/` at the end restricts the pattern to folders. What is in a folder that is left out is never looked at.
/// - `!` at the beginning takes back what another pattern, or the rule about hidden files and system folders, leaves
///   out.
///
/// Bytes are compared, so that case matters, and a name need not be UTF-8. Matching takes time in proportion to the
/// pattern's length times the path's, whatever the pattern.
public struct IgnorePattern: Sendable, Equatable {
  /// Whether what it matches is taken rather than left out.
  public let takes: Bool
  /// The pattern as it was written, without `!`.
  let pattern: [UInt8]
  private let isFoldersOnly: Bool
  /// Whether it is compared with the whole path and not just with the name.
  private let isAnchored: Bool
  private let glob: Glob

  /// The pattern of a line; nil for an empty line, a comment (`#` at the beginning) or a set that isn't closed.
  public init?(line: some Collection<UInt8>) {
    var rest = Self.withoutTrailingSpaces(Array(line))[...]
    if rest.first == UInt8(ascii: "#") { return nil }
    let takes = rest.first == UInt8(ascii: "!")
    if takes { rest = rest.dropFirst() }
    self.init(pattern: rest, takes: takes)
  }

  /// The pattern of an argument, in which `#` and `!` mean themselves; nil for an empty one or a set that isn't closed.
  ///
  /// - Parameter takes: whether what it matches is taken rather than left out.
  public init?(argument: some Collection<UInt8>, takes: Bool) {
    self.init(pattern: Array(argument)[...], takes: takes)
  }

  private init?(pattern: ArraySlice<UInt8>, takes: Bool) {
    let slash = UInt8(ascii: "/")
    self.pattern = Array(pattern)
    var pattern = pattern
    isFoldersOnly = pattern.last == slash
    if isFoldersOnly { pattern = pattern.dropLast() }
    isAnchored = pattern.contains(slash)
    if pattern.first == slash { pattern = pattern.dropFirst() }
    guard !pattern.isEmpty, let glob = Glob(pattern) else { return nil }
    self.takes = takes
    self.glob = glob
  }

  /// Whether an entry is meant.
  ///
  /// - Parameters:
  ///   - path: from the folder that the pattern belongs to, without a `/` before or behind.
  ///   - name: the path's last part.
  func matches(path: ArraySlice<UInt8>, name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    if isFoldersOnly, !isFolder { return false }
    return glob.matches(isAnchored ? path : name)
  }

  /// Spaces at a line's end don't count unless a `\` is before them; nor does a carriage return.
  private static func withoutTrailingSpaces(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    while line.last == UInt8(ascii: " "), line.dropLast().last != UInt8(ascii: "\\") { line = line.dropLast() }
    return line
  }
}
