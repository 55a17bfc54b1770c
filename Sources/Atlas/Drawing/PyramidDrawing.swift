import Foundation
import Imaging
import Sorting
import Synchronization

/// Draws and writes the sheets of a map.
///
/// Sheets of the two upper levels are thumbnails, of full and of half size, joined as they are, without decoding. Those of
/// the second level are then decoded to half their size and become a quarter of the sheet below; whoever delivers the last
/// quarter of a sheet draws it, halves it, and goes on with the one below it. That needs no order among the threads, and
/// since the sheets come along a Z curve, no more than a few for each thread and level are waiting at any time.
///
/// Sheets that show what they showed on the last map aren't drawn again, but taken from it.
final class PyramidDrawing: Sendable {
  /// Within which the sheets go, as `tiles/...`.
  private let folder: BytePath
  private let pyramid: Pyramid
  private let arrangement: Arrangement
  private let thumbnails: MapThumbnails
  private let last: LastSheets?
  private let waiting = Mutex<[Pyramid.Sheet: [Quarter]]>([:])
  private let damaged = Atomic<Int>(0)
  private let reused = Atomic<Int>(0)

  /// The level whose cells are thumbnails of half size.
  private static let halfLevel = Pyramid.topLevel - 1

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
    let thumbnailEncoder: ThumbnailEncoder
    let halfDecoder: HalfDecoder
    var (top, half): (Joining, Joining)

    /// A joiner, and the thumbnail of a cell without a picture.
    struct Joining {
      let hole: [UInt8]
      var joiner: JPEGJoiner

      init(_ level: Int, _ encoder: ThumbnailEncoder) throws(ImagingError) {
        let side = 1 << level
        hole = try encoder.encode(RGBImage(width: side, height: side, colour: holeColour))
        joiner = try JPEGJoiner(model: hole)
      }
    }

    init() throws(AtlasError) {
      (encoder, thumbnailEncoder, halfDecoder) = try AtlasError.translating { () throws(ImagingError) in
        (try JPEGEncoder(quality: 85), try ThumbnailEncoder(), try HalfDecoder())
      }
      (top, half) = try AtlasError.translating { [thumbnailEncoder] () throws(ImagingError) in
        (try Joining(Pyramid.topLevel, thumbnailEncoder), try Joining(halfLevel, thumbnailEncoder))
      }
    }
  }

  init(
    _ arrangement: Arrangement, thumbnails: MapThumbnails, last: LastSheets? = nil, into folder: BytePath
  ) {
    self.last = last
    self.folder = folder
    self.arrangement = arrangement
    self.thumbnails = thumbnails
    pyramid = Pyramid(grid: arrangement.grid)
  }

  /// Thumbnails that weren't JPEG files of the right size, and were left blank.
  var damagedThumbnailCount: Int { damaged.load(ordering: .relaxed) }

  /// Sheets that were taken from the last map.
  var reusedSheetCount: Int { reused.load(ordering: .relaxed) }

  /// Draws all sheets.
  /// - Parameters:
  ///   - threads: how many sheets are drawn at the same time; each thread takes some 20 MB.
  ///   - progress: told on the calling thread how many sheets of the top level are done.
  func draw(
    threads: Int, isCancelled: @escaping @Sendable () -> Bool, progress: (Int) -> Void
  ) throws(AtlasError) {
    try makeFolders()
    let unchanged = last?.unchanged(in: pyramid, arrangement) ?? []
    let kept = Set(unchanged.filter { last!.take($0, into: folder) })
    reused.store(kept.count, ordering: .relaxed)
    // Where a sheet is drawn all of its quarters are needed, those of unchanged sheets too.
    let quarters = kept.filter {
      $0.level <= Self.halfLevel && $0.level > pyramid.bottomLevel && !kept.contains($0.parent)
    }
    let tops = pyramid.topSheets
    let groups = tops.map(\.parent).filter { !kept.contains($0) }
    // Children come one after the other.
    let work = quarters.sorted() + groups.indices.filter { $0 == 0 || groups[$0] != groups[$0 - 1] }.map { groups[$0] }
    try Workers.run(
      count: work.count, threads: threads, isCancelled: isCancelled,
      makeState: { () throws(AtlasError) in try Tools() },
      work: { (index, tools) throws(AtlasError) in
        if kept.contains(work[index]) {
          try self.pass(self.half(of: work[index], self.read(work[index]), tools), of: work[index], tools)
        } else {
          try self.drawUpper(work[index], kept, tools)
        }
      },
      finished: { progress(work.isEmpty ? tops.count : tops.count * $0 / work.count) })
  }

  private func makeFolders() throws(AtlasError) {
    try FileSystem.makeFolder(folder.appending("tiles"))
    for level in pyramid.levels {
      try FileSystem.makeFolder(folder.appending("tiles/\(level)"))
      for x in 0..<pyramid.sheetColumns(level) { try FileSystem.makeFolder(folder.appending("tiles/\(level)/\(x)")) }
    }
  }

  private func read(_ sheet: Pyramid.Sheet) throws(AtlasError) -> [UInt8] {
    try FileSystem.read(folder.appending(sheet.name))
  }

  // MARK: - Joining

  /// A sheet of the second level, those above it that have changed, and those below it that become complete.
  private func drawUpper(_ sheet: Pyramid.Sheet, _ kept: Set<Pyramid.Sheet>, _ tools: Tools) throws(AtlasError) {
    for top in pyramid.children(of: sheet) where !kept.contains(top) {
      let file = try join(top, &tools.top, tools) { (picture) throws(AtlasError) in
        try load(picture, thumbnails.full)
      }
      try FileWriter.write(file, to: folder.appending(top.name))
    }
    let file = try join(sheet, &tools.half, tools) { (picture) throws(AtlasError) in try load(picture, thumbnails.half)
    }
    try FileWriter.write(file, to: folder.appending(sheet.name))
    try pass(half(of: sheet, file, tools), of: sheet, tools)
  }

  private func load(_ picture: Int, _ thumbnail: (Int) throws -> [UInt8]) throws(AtlasError) -> [UInt8] {
    do {
      return try thumbnail(picture)
    } catch {
      throw AtlasError(nil, .thumbnails("\(error)"))
    }
  }

  /// Joins the thumbnails of a sheet's cells.
  private func join(
    _ sheet: Pyramid.Sheet, _ joining: inout Tools.Joining, _ tools: Tools,
    load: (Int) throws(AtlasError) -> [UInt8]
  ) throws(AtlasError) -> [UInt8] {
    let (columns, rows) = (pyramid.columns(of: sheet), pyramid.rows(of: sheet))
    let hole = joining.hole
    var joiner = joining.joiner
    try AtlasError.translating { () throws(ImagingError) in
      try joiner.start(columns: columns.count, rows: rows.count, filledWith: hole)
    }
    for row in rows {
      for column in columns {
        let item = arrangement.items[row * arrangement.grid.columns + column]
        guard item != Arrangement.hole else { continue }
        let (x, y) = (column - columns.lowerBound, row - rows.lowerBound)
        let bytes = try load(Int(item))
        if joiner.add(bytes, column: x, row: y) { continue }
        // Perhaps it was made otherwise. One that is damaged is left out: that shouldn't cost the map.
        guard let again = remade(bytes, side: joiner.side, tools), joiner.add(again, column: x, row: y) else {
          damaged.add(sheet.level == Pyramid.topLevel ? 1 : 0, ordering: .relaxed)
          continue
        }
      }
    }
    return joiner.finish()
  }

  /// A thumbnail of our own made of any other, of full or of half size; nil where it is damaged.
  private func remade(_ bytes: [UInt8], side: Int, _ tools: Tools) -> [UInt8]? {
    guard var image = try? tools.decoder.decodeWhole(bytes, workspace: tools.workspace) else { return nil }
    if image.width == 2 * side, image.height == 2 * side { image = image.halved() }
    guard image.width == side, image.height == side else { return nil }
    return try? tools.thumbnailEncoder.encode(image)
  }

  // MARK: - Halving

  /// A sheet at half its size.
  private func half(of sheet: Pyramid.Sheet, _ file: [UInt8], _ tools: Tools) -> RGBImage {
    let (width, height) = (
      pyramid.columns(of: sheet).count << sheet.level, pyramid.rows(of: sheet).count << sheet.level
    )
    var half = RGBImage(width: width / 2, height: height / 2, colour: holeColour)
    if !tools.halfDecoder.decode(file, width: width, height: height, into: &half, x: 0, y: 0) {
      damaged.add(1, ordering: .relaxed)
    }
    return half
  }

  /// Hands the half of a sheet to the one below it, and draws that where it was the last one missing.
  private func pass(_ half: RGBImage, of sheet: Pyramid.Sheet, _ tools: Tools) throws(AtlasError) {
    guard sheet.level > pyramid.bottomLevel else { return }
    let parent = sheet.parent
    guard let quarters = deliver(Quarter(child: sheet, image: half), to: parent) else { return }
    let image = compose(quarters, to: parent)
    let file = try AtlasError.translating { () throws(ImagingError) in try tools.encoder.encode(image) }
    try FileWriter.write(file, to: folder.appending(parent.name))
    if parent.level > pyramid.bottomLevel { try pass(image.halved(), of: parent, tools) }
  }

  /// - Returns: all quarters of the parent, if this was the last.
  private func deliver(_ quarter: Quarter, to parent: Pyramid.Sheet) -> [Quarter]? {
    waiting.withLock { waiting in
      waiting[parent, default: []].append(quarter)
      guard waiting[parent]?.count == pyramid.childCount(of: parent) else { return nil }
      return waiting.removeValue(forKey: parent)
    }
  }

  private func compose(_ quarters: [Quarter], to sheet: Pyramid.Sheet) -> RGBImage {
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
