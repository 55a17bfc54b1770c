/// How the colours of a decoded but not yet converted picture are meant.
struct StoredColours: Equatable {
  enum Space {
    /// All three channels of a pixel are the same.
    case grey
    case rgb
  }

  var space = Space.rgb
  /// The embedded ICC profile, if there is one; not checked yet.
  var profile: [UInt8]?
}
