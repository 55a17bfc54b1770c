/// Decodes files for one thread.
protocol FileDecoder {
  /// - Throws: why there is no picture, with the path.
  func decode(fileAt path: BytePath) throws(ImagingError) -> DecodedPicture
}

/// Decodes in the thread that asks.
struct DirectDecoder: FileDecoder {
  let decoder: PictureDecoder
  let workspace: DecodingWorkspace

  func decode(fileAt path: BytePath) throws(ImagingError) -> DecodedPicture {
    try decoder.decode(fileAt: path, workspace: workspace)
  }
}
