import Foundation

extension ScanRules {
  /// The rules as text, so that what a run would do can be told later.
  public var text: String {
    let stored = Stored(
      follows: followsLinks, unknown: looksIntoUnknownFiles, hidden: takesHidden, stays: staysOnFileSystem,
      depth: maximumDepth, patterns: patterns.map { .init(takes: $0.takes, pattern: Data($0.pattern)) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Rules from such a text; nil for any other.
  public init?(text: String) {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else { return nil }
    self.init()
    followsLinks = stored.follows
    looksIntoUnknownFiles = stored.unknown
    takesHidden = stored.hidden
    staysOnFileSystem = stored.stays
    maximumDepth = stored.depth
    patterns = stored.patterns.compactMap { IgnorePattern(argument: Array($0.pattern), takes: $0.takes) }
  }

  private struct Stored: Codable {
    struct Pattern: Codable {
      let takes: Bool
      let pattern: Data
    }
    let follows: Bool
    let unknown: Bool
    let hidden: Bool
    let stays: Bool
    let depth: Int?
    let patterns: [Pattern]
  }
}
