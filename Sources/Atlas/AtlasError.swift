import Foundation
import Imaging

/// Why a map could not be written.
public struct AtlasError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or folder in question; nil where none is to blame.
  public let path: BytePath?
  /// What is wrong.
  public let reason: Reason

  /// What is wrong with a map.
  public enum Reason: Sendable, Equatable {
    /// The destination holds files and isn't one of our maps.
    case foreignFolder
    /// The destination is something other than a folder.
    case notAFolder
    /// The folder that the map should go into doesn't exist.
    case noParent
    /// The system refused to write: its error number.
    case unwritable(errno: Int32)
    /// The system refused to read: its error number.
    case unreadable(errno: Int32)
    /// The destination can't be renamed, as a map is put in place: the system's error number.
    case irreplaceable(errno: Int32)
    /// A folder for links was made by somebody else, or holds something else.
    case notLinks
    /// Leaflet isn't in this folder.
    case leafletMissing
    /// A picture could not be encoded or written; the library's words.
    case drawing(String)
    /// The thumbnails can't be had; the words of whoever keeps them.
    case thumbnails(String)
    /// Told to end.
    case cancelled
  }

  init(_ path: BytePath?, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// What `body` returns, with its error in our words.
  static func translating<Result>(_ body: () throws(ImagingError) -> Result) throws(AtlasError) -> Result {
    do throws(ImagingError) {
      return try body()
    } catch {
      throw AtlasError(error.path, .drawing(error.reason.description))
    }
  }

  static let cancelled = AtlasError(nil, .cancelled)

  /// What is wrong, with the path and the way out, in words.
  public var description: String {
    path.map { "\($0.displayName) \(reason)" } ?? "\(reason)"
  }
}

extension AtlasError.Reason: CustomStringConvertible {
  /// What is wrong and, when there is one, the way out, in words.
  public var description: String {
    switch self {
    case .foreignFolder:
      "holds files and isn't a map of this program; choose another folder, or put the map beside the files with --force"
    case .notAFolder: "is not a folder; choose another name for the map"
    case .noParent: "can't be made: the folder that it should go into doesn't exist"
    case .unwritable(let number):
      "can't be written: \(String(cString: strerror(number)))"
        + (number == ENOSPC ? "; make space, and run the same command again: what was read is kept" : "")
    case .unreadable(let number): "can't be read: \(String(cString: strerror(number)))"
    case .irreplaceable(let number):
      "can't be put in place: \(String(cString: strerror(number))); if it is where a disk is mounted, "
        + "choose a folder on that disk"
    case .notLinks:
      "isn't a folder of links that kiano-gpu made, or holds something else, too; choose another folder for the links, or "
        + "empty this one yourself"
    case .leafletMissing:
      "doesn't hold Leaflet, which the map's page needs; install the package libjs-leaflet, or name the folder that has "
        + "leaflet.min.js and leaflet.css with --leaflet"
    case .drawing(let words): words
    case .thumbnails(let words): "the thumbnails can't be read: \(words)"
    case .cancelled: "interrupted"
    }
  }
}
