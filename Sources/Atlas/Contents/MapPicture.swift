import Imaging

/// What a map says of one picture.
public struct MapPicture: Sendable, Equatable {
  /// The file. Links lead here, so it should be absolute; a relative path counts from the working folder.
  public let path: BytePath
  /// Pixels in a row of the upright picture.
  public let width: Int
  /// Rows of the upright picture.
  public let height: Int
  /// When it was taken, local time as the camera knew it, `2021-07-04T12:34:56`; nil where that isn't known.
  public let takenAt: String?
  /// Whether only a part of the picture could be decoded.
  public let isPartial: Bool

  /// A picture with these facts.
  public init(path: BytePath, width: Int, height: Int, takenAt: String? = nil, isPartial: Bool = false) {
    self.path = path
    self.width = width
    self.height = height
    self.takenAt = takenAt
    self.isPartial = isPartial
  }
}

/// A file that is not on the map, and why.
public struct MapFailure: Sendable, Equatable {
  /// The file.
  public let path: BytePath
  /// What was wrong with it, in words.
  public let reason: String

  /// A failure of a file.
  public init(path: BytePath, reason: String) {
    self.path = path
    self.reason = reason
  }
}
