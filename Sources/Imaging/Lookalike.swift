/// What files named like pictures turn out to be.
enum Lookalike {
  /// A guess in words ("a web page"), or nil.
  static func describe(_ head: UnsafeRawBufferPointer) -> String? {
    if head.allSatisfy({ $0 == 0 }) { return "zeros only, as a failed copy or a full disk leaves behind" }
    let text = String(decoding: head.prefix(ImageFormat.headLength), as: UTF8.self).lowercased()
    if text.hasPrefix("version https://git-lfs") { return "a Git LFS pointer; \"git lfs pull\" fetches the picture" }
    if text.hasPrefix("<!doctype") || text.hasPrefix("<html") { return "a web page" }
    if text.hasPrefix("<svg") || text.hasPrefix("<?xml") { return "a drawing or a document in XML" }
    if text.hasPrefix("%pdf") { return "a PDF document" }
    if text.dropFirst(4).hasPrefix("ftyp") { return "a video" }
    return nil
  }
}
