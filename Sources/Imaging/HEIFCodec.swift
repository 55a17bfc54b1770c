import CHEIF

/// HEIC and AVIF through libheif.
struct HEIFCodec: ImageCodec {
  /// `.heif` or `.avif`.
  let format: ImageFormat
  let library = "libheif " + String(cString: heif_get_version())

  func open(
    _ bytes: UnsafeRawBufferPointer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> any PictureSource {
    try HEIFSource(bytes)
  }
}

/// libheif's state for one file.
private final class HEIFFile {
  let context: OpaquePointer

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    guard let context = heif_context_alloc() else { throw .damaged("libheif can't start; is memory short?") }
    self.context = context
    // Pictures are decoded side by side already.
    heif_context_set_max_decoding_threads(context, 0)
    try check(heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
  }

  deinit {
    heif_context_free(context)
  }
}

/// One picture of a HEIF file whose boxes have been read.
private final class HEIFSource: PictureSource {
  let header: PictureHeader
  private let file: HEIFFile
  private let handle: OpaquePointer

  /// The file's main picture.
  convenience init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError.Reason) {
    let file = try HEIFFile(bytes)
    var handle: OpaquePointer?
    try check(heif_context_get_primary_image_handle(file.context, &handle))
    try self.init(handle!, of: file)
  }

  /// Takes the handle over.
  private init(_ handle: OpaquePointer, of file: HEIFFile) throws(ImagingError.Reason) {
    (self.file, self.handle) = (file, handle)
    // The container's own transform is part of decoding, and EXIF's orientation repeats it.
    var exif = Self.exif(of: handle)
    exif.orientation = .upright
    header = PictureHeader(
      width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)), exif: exif)
    guard header.width > 0, header.height > 0 else { throw .damaged("its header declares no pixels") }
  }

  deinit {
    heif_image_handle_release(handle)
  }

  var thumbnail: (any PictureSource)? {
    var identifier: heif_item_id = 0
    var small: OpaquePointer?
    guard heif_image_handle_get_list_of_thumbnail_IDs(handle, &identifier, 1) == 1,
      heif_image_handle_get_thumbnail(handle, identifier, &small).code == heif_error_Ok, let small
    else { return nil }
    return try? HEIFSource(small, of: file)
  }

  func workingBytes(shortestSide: Int) -> Int {
    // Planes of YCbCr at up to 2 bytes a sample, a turned copy, and the result.
    header.width * header.height * (3 + 3 + 4)
  }

  func decode(
    shortestSide: Int, into consumer: some RowConsumer, workspace: DecodingWorkspace
  ) throws(ImagingError.Reason) -> Completeness {
    let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
    let options = heif_decoding_options_alloc()
    defer { heif_decoding_options_free(options) }
    options?.pointee.convert_hdr_to_8bit = 1
    var image: OpaquePointer?
    try check(
      heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options))
    defer { heif_image_release(image) }

    let (width, height) = (header.width, header.height)
    var stride: Int32 = 0
    guard let pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
      heif_image_get_width(image, heif_channel_interleaved) == width,
      heif_image_get_height(image, heif_channel_interleaved) == height
    else { throw .damaged("it decodes to another size than it declares") }
    let channels = hasAlpha ? 4 : 3
    let flattener = AlphaFlattener(
      width: width, channels: channels, isPremultiplied: heif_image_is_premultiplied_alpha(image) != 0,
      workspace: workspace)
    consumer.begin(width: width, height: height, colours: colours(of: image, workspace.colours))
    for y in 0..<height {
      flattener.pass(UnsafeBufferPointer(start: pixels + y * Int(stride), count: width * channels), to: consumer)
    }
    return .complete
  }

  /// A profile goes before numbers, and those of the file before those of the coded picture.
  private func colours(of image: OpaquePointer?, _ converter: ColourConverter) -> StoredColours {
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    if count > 0, count < 1 << 24,
      let profile = Self.bytes(count, { heif_image_handle_get_raw_color_profile(handle, $0) })
    {
      return profile.withUnsafeBytes { converter.colours(.rgb, profile: $0) }
    }
    var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
    defer { heif_nclx_color_profile_free(numbers) }
    guard
      heif_image_handle_get_nclx_color_profile(handle, &numbers).code == heif_error_Ok
        || heif_image_get_nclx_color_profile(image, &numbers).code == heif_error_Ok, let coded = numbers?.pointee
    else { return StoredColours() }
    return converter.colours(
      CodedColours(
        primaries: Int(coded.color_primaries.rawValue), transfer: Int(coded.transfer_characteristics.rawValue)))
  }

  private static func exif(of handle: OpaquePointer) -> ExifFields {
    var identifier: heif_item_id = 0
    guard heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &identifier, 1) == 1 else {
      return ExifFields()
    }
    let count = heif_image_handle_get_metadata_size(handle, identifier)
    guard count > 4, count < 1 << 24,
      let block = bytes(count, { heif_image_handle_get_metadata(handle, identifier, $0) })
    else { return ExifFields() }
    // Four bytes say how many more come before the TIFF structure (ISO/IEC 23008-12, A.2.1).
    let start = 4 + block[..<4].reduce(0) { $0 << 8 | Int($1) }
    return block.withUnsafeBytes { start < count ? ExifFields(tiff: .init(rebasing: $0[start...])) : ExifFields() }
  }

  private static func bytes(_ count: Int, _ fill: (UnsafeMutableRawPointer?) -> heif_error) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return bytes.withUnsafeMutableBytes { fill($0.baseAddress).code } == heif_error_Ok ? bytes : nil
  }
}

private func check(_ error: heif_error) throws(ImagingError.Reason) {
  if error.code != heif_error_Ok { throw .damaged(String(cString: error.message)) }
}
