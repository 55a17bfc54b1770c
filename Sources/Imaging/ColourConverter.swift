import CLCMS
import Foundation

/// Brings the colours of pictures with an ICC profile to sRGB (ICC.1, through lcms2); for use by one thread.
///
/// A profile that is broken, or isn't one of the picture's kind of colours, counts as none: the picture is sRGB then.
final class ColourConverter {
  /// The library, with its version.
  static var library: String {
    let version = cmsGetEncodedCMMversion()
    return "Little CMS \(version / 1000).\(version % 1000 / 10)"
  }

  private struct Entry {
    let profile: [UInt8]
    let layout: ColourConversion.Layout
    /// Nil where the profile is of no use.
    let conversion: ColourConversion?
  }

  /// A library has few different profiles, and each takes longer to set up than to apply.
  private static let keptConversions = 8

  private let library = ColourLibrary()
  /// The latest last.
  private var entries: [Entry] = []
  private let row = ScratchBuffer()

  /// The way to sRGB of a profile's pixels; nil when the profile is of no use for them.
  func conversion(_ profile: UnsafeRawBufferPointer, _ layout: ColourConversion.Layout) -> ColourConversion? {
    conversion(profile, layout) { library.profile(profile) }
  }

  /// How a picture's colours are meant, given their numbers.
  func colours(_ coded: CodedColours) -> StoredColours {
    if coded.isSRGB { return StoredColours() }
    let conversion = coded.key.withUnsafeBytes { key in
      self.conversion(key, .rgb) { library.context.flatMap { coded.profile($0) } }
    }
    return StoredColours(conversion: conversion)
  }

  private func conversion(
    _ profile: UnsafeRawBufferPointer, _ layout: ColourConversion.Layout, open: () -> cmsHPROFILE?
  ) -> ColourConversion? {
    let known = entries.lastIndex { entry in
      entry.layout == layout && entry.profile.count == profile.count
        && (profile.isEmpty || memcmp(entry.profile, profile.baseAddress!, profile.count) == 0)
    }
    if let known { return entries[known].conversion }
    if entries.count == Self.keptConversions { entries.removeFirst() }
    let entry = Entry(profile: Array(profile), layout: layout, conversion: make(layout, open()))
    entries.append(entry)
    return entry.conversion
  }

  /// How a picture's colours are meant, given its profile.
  func colours(_ space: StoredColours.Space, profile: UnsafeRawBufferPointer?) -> StoredColours {
    StoredColours(space: space, conversion: profile.flatMap { conversion($0, space == .grey ? .grey : .rgb) })
  }

  /// Brings pixels of 3 bytes to sRGB in place.
  func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>, from colours: StoredColours) {
    guard let conversion = colours.conversion, let start = pixels.baseAddress else { return }
    let count = pixels.count / 3
    guard colours.space == .grey else { return conversion.convert(start, to: start, count: count) }
    let grey = row.bytes(count: count).assumingMemoryBound(to: UInt8.self)
    for index in 0..<count { grey[index] = pixels[index * 3] }
    conversion.convert(grey.baseAddress!, to: start, count: count)
    row.trim()
  }

  private func make(_ layout: ColourConversion.Layout, _ profile: cmsHPROFILE?) -> ColourConversion? {
    guard let profile else { return nil }
    defer { cmsCloseProfile(profile) }
    return ColourConversion(profile, layout, library)
  }
}
