/// How the colours of a decoded but not yet converted picture are meant.
struct StoredColours {
  enum Space {
    /// All three channels of a pixel are the same.
    case grey
    case rgb
  }

  var space = Space.rgb
  /// The way to sRGB; nil where the colours are that, or nobody knows better.
  var conversion: ColourConversion?
}
