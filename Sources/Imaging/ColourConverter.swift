import CLCMS

/// Brings the colours of pictures with an ICC profile to sRGB (ICC.1, through lcms2); for use by one thread.
///
/// A profile that is broken, or isn't one of the picture's kind of colours, counts as none: the picture is sRGB then.
final class ColourConverter {
  /// The library, with its version.
  static var library: String {
    let version = cmsGetEncodedCMMversion()
    return "Little CMS \(version / 1000).\(version % 1000 / 10)"
  }

  /// The bytes of pixels that a profile describes.
  private enum Layout: Equatable {
    case grey, rgb, cmyk, cmykInverted

    var format: cmsUInt32Number {
      switch self {
      case .grey: kiano_lcms_grey8
      case .rgb: kiano_lcms_rgb8
      case .cmyk: kiano_lcms_cmyk8
      case .cmykInverted: kiano_lcms_cmyk8_inverted
      }
    }

    var space: cmsColorSpaceSignature {
      switch self {
      case .grey: cmsSigGrayData
      case .rgb: cmsSigRgbData
      case .cmyk, .cmykInverted: cmsSigCmykData
      }
    }
  }

  /// A profile's way to sRGB; nil when it has none.
  private struct Conversion {
    let profile: [UInt8]
    let layout: Layout
    let transform: cmsHTRANSFORM?
  }

  /// A library has few different profiles, and each takes longer to set up than to apply.
  private static let keptConversions = 8

  // Without a handler of its own a context reports errors to nobody.
  private let context = cmsCreateContext(nil, nil)
  private lazy var sRGB = cmsCreate_sRGBProfileTHR(context)
  /// The latest last.
  private var conversions: [Conversion] = []

  deinit {
    for conversion in conversions { Self.delete(conversion) }
    if context != nil {
      cmsCloseProfile(sRGB)
      cmsDeleteContext(context)
    }
  }

  /// Brings a picture to sRGB in place.
  func convert(_ image: inout RGBImage, from colours: StoredColours) {
    guard let profile = colours.profile,
      let transform = transform(profile, colours.space == .grey ? .grey : .rgb)
    else { return }
    let count = image.pixels.count / 3
    if colours.space == .grey {
      let grey = stride(from: 0, to: count * 3, by: 3).map { image.pixels[$0] }
      image.pixels.withUnsafeMutableBytes { cmsDoTransform(transform, grey, $0.baseAddress, cmsUInt32Number(count)) }
    } else {
      image.pixels.withUnsafeMutableBytes {
        cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, cmsUInt32Number(count))
      }
    }
  }

  /// Whether rows of four inks can be converted with this profile.
  func canConvertInks(_ profile: [UInt8], isInverted: Bool) -> Bool {
    transform(profile, isInverted ? .cmykInverted : .cmyk) != nil
  }

  /// Brings a row of cyan, magenta, yellow and black, a byte each, to sRGB.
  ///
  /// - Parameter isInverted: whether 255 means no ink.
  /// - Precondition: `canConvertInks`.
  func convertInks(
    _ row: UnsafeBufferPointer<UInt8>, profile: [UInt8], isInverted: Bool, to out: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let transform = transform(profile, isInverted ? .cmykInverted : .cmyk) else {
      preconditionFailure("the profile was tried before the first row")
    }
    cmsDoTransform(transform, row.baseAddress, out.baseAddress, cmsUInt32Number(row.count / 4))
  }

  private func transform(_ profile: [UInt8], _ layout: Layout) -> cmsHTRANSFORM? {
    if let index = conversions.lastIndex(where: { $0.layout == layout && $0.profile == profile }) {
      return conversions[index].transform
    }
    if conversions.count == Self.keptConversions { Self.delete(conversions.removeFirst()) }
    let conversion = Conversion(profile: profile, layout: layout, transform: makeTransform(profile, layout))
    conversions.append(conversion)
    return conversion.transform
  }

  private func makeTransform(_ profile: [UInt8], _ layout: Layout) -> cmsHTRANSFORM? {
    guard let context, let source = cmsOpenProfileFromMemTHR(context, profile, cmsUInt32Number(profile.count)) else {
      return nil
    }
    defer { cmsCloseProfile(source) }
    guard cmsGetColorSpace(source) == layout.space else { return nil }
    return cmsCreateTransformTHR(
      context, source, layout.format, sRGB, kiano_lcms_rgb8, cmsUInt32Number(INTENT_PERCEPTUAL), 0)
  }

  private static func delete(_ conversion: Conversion) {
    if let transform = conversion.transform { cmsDeleteTransform(transform) }
  }
}
