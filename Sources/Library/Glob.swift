/// A shell pattern, compared with bytes.
///
/// It is run as a nondeterministic automaton, all states at a time, so that no pattern takes long.
struct Glob: Sendable, Equatable {
  private enum Token: Equatable {
    /// One byte of a set.
    case one(ByteSet)
    /// Any number of bytes but `/`.
    case anyInName
    /// `**/`: no, one or several folders.
    case folders
    /// `**` at the end: any bytes, at least one.
    case everything
  }

  /// Some of the 256 bytes.
  private struct ByteSet: Equatable {
    private var words = SIMD4<UInt64>.zero

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }
    mutating func invert() { words = ~words }
    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }
  }

  private static let slash = UInt8(ascii: "/")
  private var tokens: [Token] = []

  /// Nil for a pattern that ends within a set.
  init?(_ pattern: ArraySlice<UInt8>) {
    var rest = pattern
    var isAtFolder = true
    while let byte = rest.popFirst() {
      let startsFolder = isAtFolder
      isAtFolder = byte == Self.slash
      switch byte {
      case UInt8(ascii: "*"):
        guard rest.first == byte else {
          tokens.append(.anyInName)
          continue
        }
        let stars = rest.prefix { $0 == byte }
        rest = rest.dropFirst(stars.count)
        // Stars side by side that aren't a whole part of the path are one star.
        if startsFolder, stars.count == 1, rest.isEmpty {
          tokens.append(.everything)
        } else if startsFolder, stars.count == 1, rest.first == Self.slash {
          rest = rest.dropFirst()
          isAtFolder = true
          tokens.append(.folders)
        } else {
          tokens.append(.anyInName)
        }
      case UInt8(ascii: "?"):
        var set = ByteSet()
        set.insert(Self.slash)
        set.invert()
        tokens.append(.one(set))
      case UInt8(ascii: "["):
        guard let set = Self.set(&rest) else { return nil }
        tokens.append(.one(set))
      case UInt8(ascii: "\\"): tokens.append(Self.literal(rest.popFirst() ?? byte))
      default: tokens.append(Self.literal(byte))
      }
    }
  }

  /// Whether all of `text` is meant.
  func matches(_ text: ArraySlice<UInt8>) -> Bool {
    // states[i]: tokens before i have taken the bytes so far. `.folders` has a second state, within a folder's name.
    var states = [Bool](repeating: false, count: tokens.count + 1)
    var inside = states
    states[0] = true
    skipEmpty(&states)
    for byte in text {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      var nextInside = next
      for (index, token) in tokens.enumerated() where states[index] || inside[index] {
        switch token {
        case .one(let set): if set.contains(byte) { next[index + 1] = true }
        case .anyInName: if byte != Self.slash { next[index] = true }
        case .folders: if byte == Self.slash { next[index] = true } else { nextInside[index] = true }
        case .everything:
          next[index] = true
          next[index + 1] = true
        }
      }
      skipEmpty(&next)
      (states, inside) = (next, nextInside)
    }
    return states[tokens.count]
  }

  /// Tokens that may stand for nothing let the next one begin too.
  private func skipEmpty(_ states: inout [Bool]) {
    for (index, token) in tokens.enumerated() where states[index] && (token == .anyInName || token == .folders) {
      states[index + 1] = true
    }
  }

  private static func literal(_ byte: UInt8) -> Token {
    var set = ByteSet()
    set.insert(byte)
    return .one(set)
  }

  /// Reads a set behind its `[`; nil where it isn't closed. A `]` that comes first is a member.
  private static func set(_ rest: inout ArraySlice<UInt8>) -> ByteSet? {
    var set = ByteSet()
    let isInverted = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isInverted { rest = rest.dropFirst() }
    var isFirst = true
    while var low = rest.popFirst() {
      if low == UInt8(ascii: "]"), !isFirst {
        if isInverted { set.invert() }
        // A set never stands for the mark between folders.
        set.remove(slash)
        return set
      }
      isFirst = false
      if low == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        low = escaped
      }
      var high = low
      if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
        rest = rest.dropFirst(2)
        high = end
        if end == UInt8(ascii: "\\") {
          guard let escaped = rest.popFirst() else { return nil }
          high = escaped
        }
      }
      if low <= high { for byte in low...high { set.insert(byte) } }
    }
    return nil
  }
}
