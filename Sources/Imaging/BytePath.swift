import Foundation

/// The path of a file as the bytes that the file system knows it by.
///
/// A file name need not be UTF-8, and a name that went through `String` may no longer open its file, so paths stay
/// bytes from the folder listing to `open`.
public struct BytePath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The path's bytes, without a terminating zero.
  public let bytes: [UInt8]

  /// A path of these bytes; everything from the first zero on is dropped, as the system would.
  public init(_ bytes: some Collection<UInt8>) {
    self.bytes = bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) } ?? Array(bytes)
  }

  /// A path of these bytes; everything from the first zero on is dropped, as the system would.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) } ?? bytes
  }

  /// A path of a string's UTF-8 bytes.
  public init(_ string: String) {
    self.init(string.utf8)
  }

  /// A path written as a string literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The path of an entry of this folder.
  ///
  /// - Parameter name: the entry's name, or several joined by `/`.
  public func appending(_ name: some Collection<UInt8>) -> BytePath {
    appending(Array(name)[...])
  }

  /// The same for what folder listings hand out, which there are millions of.
  public func appending(_ name: ArraySlice<UInt8>) -> BytePath {
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + name.count)
    joined += bytes
    if let last = bytes.last, last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
    joined += name
    return BytePath(joined)
  }

  /// The path of an entry of this folder.
  public func appending(_ name: String) -> BytePath {
    appending(Array(name.utf8))
  }

  /// The part behind the last `/`; trailing slashes don't count. Empty for the root folder.
  public var lastComponent: ArraySlice<UInt8> {
    let slash = UInt8(ascii: "/")
    let end = (bytes.lastIndex { $0 != slash } ?? -1) + 1
    let start = (bytes[..<end].lastIndex(of: slash) ?? -1) + 1
    return bytes[start..<end]
  }

  /// The extension in lower case without its dot, or nil for a name without one. `.profile` has none.
  public var fileExtension: String? {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, dot + 1 < name.endIndex else {
      return nil
    }
    return String(validating: name[(dot + 1)...], as: UTF8.self)?.lowercased()
  }

  /// Whether the bytes are valid UTF-8.
  public var isUTF8: Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  /// The bytes in base64, for documents that can't hold a path that isn't UTF-8.
  public var base64: String {
    Data(bytes).base64EncodedString()
  }

  /// The path for a person to read: control characters and what isn't UTF-8 are written as `\xNN`, so that a name can
  /// neither steer a terminal nor break a line in two.
  public var displayName: String {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
      if let length, let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
        !Self.isUnprintable(scalar)
      {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        for byte in rest.prefix(length ?? 1) {
          text += "\\x" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        rest = rest.dropFirst(length ?? 1)
      }
    }
    return text
  }

  /// Same as `displayName`.
  public var description: String { displayName }

  /// Runs `body` with the path as a C string.
  public func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // On the stack, since each file is opened by its path.
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { (buffer) throws(Failure) -> Result in
      for index in bytes.indices { buffer[index] = CChar(bitPattern: bytes[index]) }
      buffer[bytes.count] = 0
      return try body(buffer.baseAddress!)
    }
  }

  /// Paths are ordered by their bytes, which no locale changes.
  public static func < (left: BytePath, right: BytePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Control characters, line separators and the marks that turn the direction of a line.
  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    default: false
    }
  }
}
