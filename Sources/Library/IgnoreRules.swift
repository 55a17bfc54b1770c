import Imaging

/// The patterns in force at one place of a scan.
struct IgnoreRules {
  /// Patterns and how many bytes of a path lead to the folder that they belong to, its `/` included.
  private struct Layer {
    let baseLength: Int
    let patterns: [IgnorePattern]
  }

  /// Of the command line; they have the last word.
  private let given: Layer
  /// Of the `.kianoignore` files from the root down to here.
  private var files: [Layer] = []

  /// - Parameter root: where the scan begins.
  init(patterns: [IgnorePattern], root: BytePath) {
    given = Layer(baseLength: Self.prefixLength(of: root), patterns: patterns)
  }

  /// How many `.kianoignore` files are in force.
  var depth: Int { files.count }

  mutating func push(_ patterns: [IgnorePattern], of folder: BytePath) {
    files.append(Layer(baseLength: Self.prefixLength(of: folder), patterns: patterns))
  }

  mutating func pop(to depth: Int) {
    files.removeLast(files.count - depth)
  }

  /// Whether patterns leave an entry out (false), take it whatever its name (true), or say nothing (nil). Of several
  /// the one written last holds: a folder's own before those of the folders around it.
  func verdict(_ path: BytePath, name: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
    if given.patterns.isEmpty, files.isEmpty { return nil }
    for layer in [given] + files.reversed() {
      let relative = path.bytes[layer.baseLength...]
      let pattern = layer.patterns.last { $0.matches(path: relative, name: name, isFolder: isFolder) }
      if let pattern { return pattern.takes }
    }
    return nil
  }

  private static func prefixLength(of folder: BytePath) -> Int {
    folder.appending("x").bytes.count - 1
  }
}
