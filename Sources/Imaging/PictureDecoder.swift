/// Turns picture files into what the rest of the program works with.
public struct PictureDecoder: Sendable {
  /// Sizes, framing and limits.
  public let options: DecodingOptions

  /// Shared by all that decode beside each other.
  let gate: any LargePictureGate

  /// A decoder with these options.
  public init(options: DecodingOptions = DecodingOptions()) {
    self.init(options: options, gate: ProcessGate(budget: options.maximumWorkingBytes))
  }

  init(options: DecodingOptions, gate: any LargePictureGate) {
    self.options = options
    self.gate = gate
  }

  /// Decodes a file, once, to the scale that both results need.
  ///
  /// - Parameters:
  ///   - path: any file; what isn't a picture is an error.
  ///   - workspace: kept by the calling thread from picture to picture.
  /// - Throws: why there is no picture, with the path.
  public func decode(
    fileAt path: BytePath, workspace: DecodingWorkspace
  ) throws(ImagingError) -> DecodedPicture {
    var claim = GateClaim(gate)
    var source: FileIdentity?
    defer {
      workspace.trim()
      claim.release()
    }
    do throws(ImagingError.Reason) {
      let file = try FileReader.read(path, into: workspace.file, source: &source) {
        (size) throws(ImagingError.Reason) in
        guard size <= options.maximumFileBytes else { throw .tooManyBytes(size, limit: options.maximumFileBytes) }
        try claim.raise(to: size)
      }
      return try decode(file, from: source!, workspace: workspace, claim: &claim)
    } catch {
      throw ImagingError(path: path, reason: error, source: source)
    }
  }

  /// Decodes a picture in memory at full size, upright.
  ///
  /// - Throws: why there is no picture, without a path.
  public func decodeWhole(_ bytes: [UInt8], workspace: DecodingWorkspace) throws(ImagingError) -> RGBImage {
    defer { workspace.trim() }
    do throws(ImagingError.Reason) {
      return try bytes.withUnsafeBufferPointer { (buffer) throws(ImagingError.Reason) in
        let content = UnsafeRawBufferPointer(buffer)
        let source = try ImageCodecs.codec(for: content).open(content, workspace: workspace)
        workspace.patience.begin(seconds: options.maximumSeconds)
        _ = try check(source, shortestSide: .max, fileBytes: content.count)
        let builder = ImageBuilder()
        _ = try source.decode(shortestSide: .max, into: builder, workspace: workspace)
        var image = builder.image()
        image.pixels.withUnsafeMutableBufferPointer { workspace.colours.convert($0, from: builder.colours) }
        return source.header.exif.orientation.apply(to: image)
      }
    } catch {
      throw ImagingError(path: nil, reason: error)
    }
  }

  private func decode(
    _ file: FileReader.Content, from identity: FileIdentity, workspace: DecodingWorkspace, claim: inout GateClaim
  ) throws(ImagingError.Reason) -> DecodedPicture {
    let source = try file.codec.open(file.bytes, workspace: workspace)
    let header = source.header
    let orientation = header.exif.orientation
    let completeness =
      if reduceThumbnail(of: source, workspace) {
        Completeness.complete
      } else {
        try reduce(source, fileBytes: file.bytes.count, workspace, &claim)
      }
    let (input, thumbnail) = workspace.reduction(options).images(orientation, workspace.colours, workspace.results)
    return DecodedPicture(
      source: identity, contentHash: ContentHash(of: file.bytes),
      width: orientation.swapsSides ? header.height : header.width,
      height: orientation.swapsSides ? header.width : header.height,
      format: file.codec.format, orientation: orientation, takenAt: header.exif.takenAt, completeness: completeness,
      input: input, thumbnail: thumbnail)
  }

  /// Passes a picture through the workspace's reduction.
  private func reduce(
    _ source: any PictureSource, fileBytes: Int, _ workspace: DecodingWorkspace, _ claim: inout GateClaim
  ) throws(ImagingError.Reason) -> Completeness {
    let shortestSide = max(options.inputSide, options.thumbnailSide)
    try claim.raise(to: try check(source, shortestSide: shortestSide, fileBytes: fileBytes))
    // Waiting at the gate doesn't count.
    workspace.patience.begin(seconds: options.maximumSeconds)
    return try source.decode(shortestSide: shortestSide, into: workspace.reduction(options), workspace: workspace)
  }

  /// Makes do with the embedded thumbnail, where that is wanted.
  ///
  /// - Returns: whether it is possible.
  private func reduceThumbnail(of source: any PictureSource, _ workspace: DecodingWorkspace) -> Bool {
    guard options.prefersEmbeddedThumbnails, let thumbnail = source.thumbnail else { return false }
    let (whole, small) = (source.header, thumbnail.header)
    // Thumbnails with bars, or of the picture before it was cropped, have another shape; a pixel is for rounding.
    let difference = abs(whole.width * small.height - whole.height * small.width)
    var claim = GateClaim(gate)
    defer { claim.release() }
    guard difference <= max(whole.width, whole.height), max(small.width, small.height) >= options.inputSide else {
      return false
    }
    return (try? reduce(thumbnail, fileBytes: 0, workspace, &claim)) == .complete
  }

  /// Refuses what would cost too much, before a pixel is decoded.
  ///
  /// - Returns: the memory that the file and its decoding take, in bytes.
  private func check(
    _ source: any PictureSource, shortestSide: Int, fileBytes: Int
  ) throws(ImagingError.Reason) -> Int {
    let (width, height) = (source.header.width, source.header.height)
    // Divided, since the product of two sides of 32 bits doesn't fit an Int.
    guard height <= options.maximumPixels / width else {
      throw .tooManyPixels(width: width, height: height, limit: options.maximumPixels)
    }
    let bytes = fileBytes + source.workingBytes(shortestSide: shortestSide)
    guard bytes <= options.maximumWorkingBytes else {
      throw .tooMuchMemory(bytes: bytes, limit: options.maximumWorkingBytes)
    }
    return bytes
  }
}
