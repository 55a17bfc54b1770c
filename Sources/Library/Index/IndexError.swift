import Imaging

/// Why an index can't be used.
public struct IndexError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Reason: Sendable, Equatable {
    /// Another run writes to it: what its lock says of that run.
    case locked(String)
    /// Its content makes no sense; what was noticed.
    case damaged(String)
    /// It is a file of something else.
    case foreign
    /// A later version of the program made it: the version of its schema.
    case newer(version: Int)
    /// Its vectors come from another network or projection: the name of what made them, and of what was to go on.
    case otherModel(String, wanted: String)
    /// There is none.
    case missing
    /// No space is left where it is.
    case diskFull
    /// It can't be opened, read or written: the reason in words.
    case inaccessible(String)
  }

  /// The index.
  public let path: BytePath
  /// What is wrong with it.
  public let reason: Reason

  /// Whether the index can't be used because it is in use or damaged, rather than for what is around it.
  public var isOfIndex: Bool {
    switch reason {
    case .locked, .damaged, .foreign, .newer, .otherModel: true
    case .missing, .diskFull, .inaccessible: false
    }
  }

  /// What is wrong and what to do, in words.
  public var description: String {
    let name = path.displayName
    return switch reason {
    case .locked(let holder): "the index \(name) is in use by \(holder); wait for it to end, or choose another index"
    case .damaged(let what):
      "the index \(name) is damaged: \(what); your pictures are untouched. Run again with --rebuild to make it anew, or "
        + "move it away to keep it"
    case .foreign: "\(name) isn't an index of kiano-gpu; choose another file"
    case .newer(let version):
      "the index \(name) was made by a later version of kiano-gpu (schema \(version)); use that, or choose another index"
    case .otherModel(let made, let wanted):
      "the index \(name) holds vectors of \(made), which can't be mixed with those of \(wanted); run with --rebuild to "
        + "compute them anew, or choose another index"
    case .missing: "there is no index at \(name); 'kiano-gpu index' and 'kiano-gpu sort' make one"
    case .diskFull:
      "no space is left on the disk of the index \(name); what was computed before is saved: make space, and run the "
        + "same command again to go on"
    case .inaccessible(let why): "the index \(name) can't be used: \(why)"
    }
  }
}
