/// A file format of pictures, told apart by its first bytes. Not every build can read each of them: see `codecs`.
public enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg = "JPEG"
  case png = "PNG"
  case webp = "WebP"
  case gif = "GIF"
  case heif = "HEIF"
  case avif = "AVIF"
  case tiff = "TIFF"
  case bmp = "BMP"
  case jpeg2000 = "JPEG 2000"
  case jpegXL = "JPEG XL"

  /// The format's name as people write it.
  public var name: String { rawValue }

  /// File name extensions in use for the format: lower case, without the dot.
  public var fileExtensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "jif"]
    case .png: ["png", "apng"]
    case .webp: ["webp"]
    case .gif: ["gif"]
    case .heif: ["heic", "heif", "hif"]
    case .avif: ["avif"]
    case .tiff: ["tif", "tiff"]
    case .bmp: ["bmp", "dib"]
    case .jpeg2000: ["jp2", "j2k", "jpx"]
    case .jpegXL: ["jxl"]
    }
  }

  /// How many bytes of a file `recognise` looks at.
  public static let headLength = 64

  /// The format that a file's first bytes announce, or nil when they are no picture's that we know.
  ///
  /// - Parameter head: the first `headLength` bytes, or all of a shorter file.
  public static func recognise(_ head: UnsafeRawBufferPointer) -> ImageFormat? {
    guard head.count >= 2 else { return nil }
    if head[0] == 0xFF {
      switch head[1] {
      case 0xD8: return .jpeg
      case 0x0A: return .jpegXL
      case 0x4F where head.count >= 4 && head[2] == 0xFF && head[3] == 0x51: return .jpeg2000
      default: return nil
      }
    }
    if head[0] == 0x89, head.has("PNG\r\n\u{1A}\n", at: 1) { return .png }
    if head.has("RIFF"), head.has("WEBP", at: 8) { return .webp }
    if head.has("GIF87a") || head.has("GIF89a") { return .gif }
    if head.has("II*\0") || head.has("MM\0*") || head.has("II+\0") || head.has("MM\0+") { return .tiff }
    if head.has("BM"), head.has("\0\0\0", at: 15) { return .bmp }
    if head.has("jP  \r\n", at: 4) { return .jpeg2000 }
    if head.has("JXL \r\n", at: 4) { return .jpegXL }
    if head.has("ftyp", at: 4) { return recogniseBrand(head) }
    return nil
  }

  /// Looks at the brands of an ISO base media file (ISO/IEC 14496-12): the major one, then the compatible ones, since
  /// a picture may call itself just `mif1`.
  private static func recogniseBrand(_ head: UnsafeRawBufferPointer) -> ImageFormat? {
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let offsets = [8] + Array(stride(from: 16, to: max(16, min(size, head.count) - 3), by: 4))
    for offset in offsets where offset + 4 <= head.count {
      switch String(decoding: head[offset..<offset + 4], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs": return .heif
      default: continue
      }
    }
    return head.count >= 12 && ["mif1", "msf1"].contains(String(decoding: head[8..<12], as: UTF8.self)) ? .heif : nil
  }
}
