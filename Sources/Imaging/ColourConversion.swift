import CLCMS

/// A profile's way to sRGB.
final class ColourConversion {
  /// The bytes of pixels that a profile describes.
  enum Layout: Equatable {
    case grey, rgb, cmyk, cmykInverted

    fileprivate var format: cmsUInt32Number {
      switch self {
      case .grey: kiano_lcms_grey8
      case .rgb: kiano_lcms_rgb8
      case .cmyk: kiano_lcms_cmyk8
      case .cmykInverted: kiano_lcms_cmyk8_inverted
      }
    }

    fileprivate var space: cmsColorSpaceSignature {
      switch self {
      case .grey: cmsSigGrayData
      case .rgb: cmsSigRgbData
      case .cmyk, .cmykInverted: cmsSigCmykData
      }
    }
  }

  private let transform: cmsHTRANSFORM
  /// What the transform needs as long as it lives.
  private let library: ColourLibrary

  /// Nil for a profile that is of other colours, or broken.
  init?(_ profile: cmsHPROFILE, _ layout: Layout, _ library: ColourLibrary) {
    guard let context = library.context, cmsGetColorSpace(profile) == layout.space,
      let transform = cmsCreateTransformTHR(
        context, profile, layout.format, library.sRGB, kiano_lcms_rgb8, cmsUInt32Number(INTENT_PERCEPTUAL), 0)
    else { return nil }
    (self.transform, self.library) = (transform, library)
  }

  deinit {
    cmsDeleteTransform(transform)
  }

  /// Converts pixels to RGB, a byte each channel.
  ///
  /// - Parameters:
  ///   - pixels: of the profile's layout.
  ///   - out: takes 3 bytes for each pixel; it may be where `pixels` are, if those have 3 bytes too.
  func convert(_ pixels: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, count: Int) {
    cmsDoTransform(transform, pixels, out, cmsUInt32Number(count))
  }
}

/// lcms2's state for one thread.
final class ColourLibrary {
  // Without a handler of its own a context reports errors to nobody.
  let context = cmsCreateContext(nil, nil)
  let sRGB: cmsHPROFILE?

  init() {
    sRGB = cmsCreate_sRGBProfileTHR(context)
  }

  deinit {
    guard let context else { return }
    cmsCloseProfile(sRGB)
    cmsDeleteContext(context)
  }

  /// The profile in a file's bytes; the caller closes it.
  func profile(_ bytes: UnsafeRawBufferPointer) -> cmsHPROFILE? {
    guard let context else { return nil }
    return cmsOpenProfileFromMemTHR(context, bytes.baseAddress, cmsUInt32Number(bytes.count))
  }
}
