import Foundation
import Imaging
import Sorting
import Synchronization

/// Draws and writes the sheets of a map.
///
/// Only sheets of the top level are drawn from thumbnails. Each sheet is halved when it is done and becomes a quarter of
/// its parent; whoever delivers the last quarter goes on with the parent. That needs no order among the threads, and
/// since the sheets come along a Z curve, no more than a few for each thread and level are waiting at any time.
final class PyramidDrawing: Sendable {
  /// Within which the sheets go, as `tiles/...`.
  private let folder: BytePath
  private let pyramid: Pyramid
  private let arrangement: Arrangement
  private let thumbnail: @Sendable (Int) throws -> [UInt8]
  private let waiting = Mutex<[Pyramid.Sheet: [Quarter]]>([:])
  private let damaged = Atomic<Int>(0)

  /// A part of a sheet that waits for the others: a child, halved.
  private struct Quarter {
    let child: Pyramid.Sheet
    let image: RGBImage
  }

  /// What a thread keeps.
  private final class Tools {
    let workspace = DecodingWorkspace()
    let decoder = PictureDecoder()
    let encoder: JPEGEncoder

    init() throws(AtlasError) {
      encoder = try AtlasError.translating { () throws(ImagingError) in try JPEGEncoder(quality: 85) }
    }

    func encode(_ image: RGBImage) throws(AtlasError) -> [UInt8] {
      try AtlasError.translating { () throws(ImagingError) in try encoder.encode(image) }
    }
  }

  init(
    _ arrangement: Arrangement, thumbnail: @escaping @Sendable (Int) throws -> [UInt8], into folder: BytePath
  ) {
    self.folder = folder
    self.arrangement = arrangement
    self.thumbnail = thumbnail
    pyramid = Pyramid(grid: arrangement.grid)
  }

  /// Thumbnails that weren't JPEG files of the right size, and were left blank.
  var damagedThumbnailCount: Int { damaged.load(ordering: .relaxed) }

  /// Draws all sheets.
  /// - Parameters:
  ///   - threads: how many sheets are drawn at the same time; each thread takes some 20 MB.
  ///   - progress: told on the calling thread how many sheets of the top level are done.
  func draw(
    threads: Int, isCancelled: @escaping @Sendable () -> Bool, progress: (Int) -> Void
  ) throws(AtlasError) {
    try makeFolders()
    let sheets = pyramid.topSheets
    try Workers.run(
      count: sheets.count, threads: threads, isCancelled: isCancelled,
      makeState: { () throws(AtlasError) in try Tools() },
      work: { (index, tools) throws(AtlasError) in
        try self.finish(sheets[index], image: self.compose(sheets[index], tools), tools)
      },
      finished: progress)
  }

  private func makeFolders() throws(AtlasError) {
    try FileSystem.makeFolder(folder.appending("tiles"))
    for level in pyramid.levels {
      try FileSystem.makeFolder(folder.appending("tiles/\(level)"))
      for x in 0..<pyramid.sheetColumns(level) { try FileSystem.makeFolder(folder.appending("tiles/\(level)/\(x)")) }
    }
  }

  /// A sheet of the top level.
  private func compose(_ sheet: Pyramid.Sheet, _ tools: Tools) throws(AtlasError) -> RGBImage {
    let side = 1 << Pyramid.topLevel
    let (columns, rows) = (pyramid.columns(of: sheet), pyramid.rows(of: sheet))
    var image = RGBImage(width: columns.count * side, height: rows.count * side, colour: holeColour)
    for row in rows {
      for column in columns {
        let item = arrangement.items[row * arrangement.grid.columns + column]
        guard item != Arrangement.hole, let thumbnail = try decode(Int(item), tools) else { continue }
        image.paste(thumbnail, x: (column - columns.lowerBound) * side, y: (row - rows.lowerBound) * side)
      }
    }
    return image
  }

  /// A picture's thumbnail; nil where it is damaged, which shouldn't cost the map.
  private func decode(_ picture: Int, _ tools: Tools) throws(AtlasError) -> RGBImage? {
    let bytes: [UInt8]
    do {
      bytes = try thumbnail(picture)
    } catch {
      throw AtlasError(nil, .thumbnails("\(error)"))
    }
    let side = 1 << Pyramid.topLevel
    if let image = try? tools.decoder.decodeWhole(bytes, workspace: tools.workspace), image.width == side,
      image.height == side
    {
      return image
    }
    damaged.add(1, ordering: .relaxed)
    return nil
  }

  /// Writes a sheet, and those below it that become complete with it.
  private func finish(_ sheet: Pyramid.Sheet, image: RGBImage, _ tools: Tools) throws(AtlasError) {
    try FileWriter.write(tools.encode(image), to: folder.appending(sheet.name))
    guard sheet.level > pyramid.bottomLevel else { return }
    let parent = sheet.parent
    if let quarters = deliver(Quarter(child: sheet, image: image.halved()), to: parent) {
      try finish(parent, image: join(quarters, to: parent), tools)
    }
  }

  /// - Returns: all quarters of the parent, if this was the last.
  private func deliver(_ quarter: Quarter, to parent: Pyramid.Sheet) -> [Quarter]? {
    waiting.withLock { waiting in
      waiting[parent, default: []].append(quarter)
      guard waiting[parent]?.count == pyramid.childCount(of: parent) else { return nil }
      return waiting.removeValue(forKey: parent)
    }
  }

  private func join(_ quarters: [Quarter], to sheet: Pyramid.Sheet) -> RGBImage {
    let half = Pyramid.sheetSide / 2
    var image = RGBImage(
      width: pyramid.columns(of: sheet).count << sheet.level, height: pyramid.rows(of: sheet).count << sheet.level,
      colour: holeColour)
    for quarter in quarters {
      image.paste(quarter.image, x: quarter.child.x % 2 * half, y: quarter.child.y % 2 * half)
    }
    return image
  }
}
