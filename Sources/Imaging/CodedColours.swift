import CLCMS
import Foundation

/// Colours as video formats tell them, by numbers from a table (ITU-T H.273, 8.1 and 8.2); HEIF files that have no
/// profile do too.
struct CodedColours {
  /// ColourPrimaries.
  let primaries: Int
  /// TransferCharacteristics.
  let transfer: Int

  /// Whether there is nothing to convert: the numbers are sRGB's, or say nothing. The curve that BT.709, 601 and 2020
  /// give is that of cameras, and sRGB's what is meant to be seen.
  var isSRGB: Bool {
    Self.chromaticities(primaries) == nil && curve == .sRGB
  }

  /// What stands for them in a table of profiles.
  var key: [UInt8] { Array("H.273 \(primaries) \(transfer)".utf8) }

  /// A profile of these colours; the caller closes it.
  func profile(_ context: cmsContext) -> cmsHPROFILE? {
    guard let curve = toneCurve(context) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    let (red, green, blue, white) = Self.chromaticities(primaries) ?? Self.bt709
    func xyY(_ point: (Double, Double)) -> cmsCIExyY { cmsCIExyY(x: point.0, y: point.1, Y: 1) }
    var whitePoint = xyY(white)
    var corners = cmsCIExyYTRIPLE(Red: xyY(red), Green: xyY(green), Blue: xyY(blue))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    return cmsCreateRGBProfileTHR(context, &whitePoint, &corners, &curves)
  }

  // MARK: - Primaries

  private typealias Chromaticities = (
    red: (Double, Double), green: (Double, Double), blue: (Double, Double), white: (Double, Double)
  )

  private static let d65 = (0.3127, 0.3290)
  private static let bt709: Chromaticities = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06), d65)

  /// Nil for those of sRGB and for numbers that say nothing.
  private static func chromaticities(_ code: Int) -> Chromaticities? {
    switch code {
    case 4: ((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), (0.310, 0.316))
    case 5: ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), d65)
    case 6, 7: ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), d65)
    case 8: ((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), (0.310, 0.316))
    case 9: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), d65)
    case 11: ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351))
    case 12: ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), d65)
    case 22: ((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), d65)
    default: nil
    }
  }

  // MARK: - Curves

  private enum Curve: Equatable {
    case sRGB
    case gamma(Double)
    /// Brightness in absolute terms: PQ (SMPTE ST 2084) and HLG (ARIB STD-B67).
    case perceptualQuantizer, hybridLogGamma
  }

  private var curve: Curve {
    switch transfer {
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    case 8: .gamma(1)
    case 17: .gamma(2.6)
    case 16: .perceptualQuantizer
    case 18: .hybridLogGamma
    default: .sRGB
    }
  }

  private func toneCurve(_ context: cmsContext) -> OpaquePointer? {
    switch curve {
    case .sRGB:
      return cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    case .gamma(let exponent): return cmsBuildGamma(context, exponent)
    case .perceptualQuantizer, .hybridLogGamma:
      let count = 4096
      let table = (0..<count).map { index -> UInt16 in
        let signal = Double(index) / Double(count - 1)
        let light = curve == .perceptualQuantizer ? Self.perceptualQuantizer(signal) : Self.hybridLogGamma(signal)
        return UInt16((min(1, light / Self.whiteCandelas) * 65535).rounded())
      }
      return cmsBuildTabulatedToneCurve16(context, cmsUInt32Number(count), table)
    }
  }

  /// The brightness of paper white in pictures of high dynamic range, in cd/m2 (ITU-R BT.2408, 2.1); what shines more is
  /// white.
  private static let whiteCandelas = 203.0

  /// cd/m2 of a PQ signal (ITU-R BT.2100, table 4).
  static func perceptualQuantizer(_ signal: Double) -> Double {
    let power = pow(signal, 32 / 2523)
    return 10_000 * pow(max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power), 16384 / 2610)
  }

  /// cd/m2 of an HLG signal on a display of 1,000 (ITU-R BT.2100, table 5), each channel by itself.
  static func hybridLogGamma(_ signal: Double) -> Double {
    let scene =
      signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return 1000 * pow(scene, 1.2)
  }
}
