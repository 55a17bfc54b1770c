import Foundation
import Imaging

extension BytePath {
  /// The path from the root folder, without empty components and dots; a relative one counts from the working folder.
  /// Two dots stay, since what they mean depends on links.
  public var absolute: BytePath {
    var whole = bytes
    if bytes.first != slash, let folder = getcwd(nil, 0) {
      defer { free(folder) }
      whole = UnsafeBufferPointer(start: folder, count: strlen(folder)).map(UInt8.init(bitPattern:)) + [slash] + bytes
    }
    let components = whole.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
    return BytePath([slash] + components.joined(separator: [slash]))
  }
}

private let slash = UInt8(ascii: "/")
