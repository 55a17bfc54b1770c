import Foundation
import Imaging

extension BytePath {
  /// The path from the root folder, without empty components and dots; a relative one counts from the working folder.
  /// Two dots stay, since what they mean depends on links.
  /// - Throws: `EngineError` where the path is relative and the working folder is gone.
  public func absolute() throws(EngineError) -> BytePath {
    let whole = bytes.first == slash ? bytes : try Self.workingFolder() + [slash] + bytes
    let components = whole.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
    return BytePath([slash] + components.joined(separator: [slash]))
  }

  /// The path with links and dots followed, where it leads somewhere.
  func resolved() -> BytePath? {
    guard let pointer = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(pointer) }
    return BytePath(UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map(UInt8.init(bitPattern:)))
  }

  /// Whether `other` is this folder or below it; both without links and dots.
  func contains(_ other: BytePath) -> Bool {
    other == self || other.bytes.starts(with: bytes.last == slash ? bytes : bytes + [slash])
  }

  private static func workingFolder() throws(EngineError) -> [UInt8] {
    guard let folder = getcwd(nil, 0) else {
      throw EngineError(
        .failed, "the working folder can't be found: \(systemMessage(errno)); change to one that is there")
    }
    defer { free(folder) }
    return UnsafeBufferPointer(start: folder, count: strlen(folder)).map(UInt8.init(bitPattern:))
  }
}

private let slash = UInt8(ascii: "/")
