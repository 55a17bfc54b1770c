import Imaging
import Sorting
import Synchronization

/// The whole map as one picture, made from the sheets of a level that are written already.
struct ContactSheet: Sendable {
  private let pyramid: Pyramid
  private let format: SheetFormat
  /// The level whose sheets make it up.
  let level: Int

  /// The sheet of a map, at most `width` pixels wide: nil where not even cells of the smallest size fit.
  init?(of grid: Grid, width: Int, format: SheetFormat = .png) {
    pyramid = Pyramid(grid: grid)
    self.format = format
    let height = format == .jpeg ? JPEGWriter.maximumSide : .max
    guard
      let level = pyramid.levels.last(where: { grid.columns << $0 <= width && grid.rows << $0 <= height })
    else { return nil }
    self.level = level
  }

  /// Pixels in a row.
  var width: Int { pyramid.grid.columns << level }
  /// Rows.
  var height: Int { pyramid.grid.rows << level }
  /// Rows of sheets.
  var bandCount: Int { pyramid.sheetRows(level) }

  /// Writes the picture, one row of sheets at a time: memory is that of one such row.
  /// - Parameters:
  ///   - folder: has the sheets, as `tiles/...`.
  ///   - progress: told how many rows of sheets are done.
  func write(
    to path: BytePath, from folder: BytePath, threads: Int, isCancelled: @escaping @Sendable () -> Bool,
    progress: (Int) -> Void
  ) throws(AtlasError) {
    let writer = try AtlasError.translating { () throws(ImagingError) -> any RowWriter in
      switch format {
      // The filters do what can be done about photos: higher levels take longer for files of the same size.
      case .png: try PNGWriter(path: path, width: width, height: height, compression: 1)
      case .jpeg: try JPEGWriter(path: path, width: width, height: height)
      }
    }
    for band in 0..<bandCount {
      let image = try read(band: band, from: folder, threads: threads, isCancelled: isCancelled)
      try AtlasError.translating { () throws(ImagingError) in
        try image.pixels.withUnsafeBufferPointer { (pixels) throws(ImagingError) in
          for row in 0..<image.height {
            try writer.append(UnsafeBufferPointer(rebasing: pixels[row * width * 3..<(row + 1) * width * 3]))
          }
        }
      }
      progress(band + 1)
    }
    try AtlasError.translating { () throws(ImagingError) in try writer.finish() }
  }

  private func read(
    band: Int, from folder: BytePath, threads: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(AtlasError) -> RGBImage {
    let sheets = (0..<pyramid.sheetColumns(level)).map { Pyramid.Sheet(level: level, x: $0, y: band) }
    let height = pyramid.rows(of: sheets[0]).count << level
    let image = Mutex(RGBImage(width: width, height: height, colour: holeColour))
    try Workers.run(
      count: sheets.count, threads: threads, isCancelled: isCancelled,
      makeState: { () throws(AtlasError) in DecodingWorkspace() },
      work: { (index, workspace) throws(AtlasError) in
        let bytes = try FileSystem.read(folder.appending(sheets[index].name))
        let sheet = try AtlasError.translating { () throws(ImagingError) in
          try PictureDecoder().decodeWhole(bytes, workspace: workspace)
        }
        image.withLock { $0.paste(sheet, x: index * Pyramid.sheetSide, y: 0) }
      },
      finished: { _ in })
    return image.withLock { $0 }
  }
}

/// What the picture of the whole map is.
public enum SheetFormat: String, Sendable, CaseIterable {
  /// `map.png`: exact, and large.
  case png
  /// `map.jpg`: a tenth of the size, in a fraction of the time.
  case jpeg

  var fileName: String { self == .png ? "map.png" : "map.jpg" }
}
