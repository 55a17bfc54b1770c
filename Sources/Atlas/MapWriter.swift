import Foundation
import Imaging
import Sorting

/// Writes maps: a folder with a page, its data, the sheets that it shows, and files for other programs.
///
/// The folder is made beside its place and put there when it is complete: a map that was there before is untouched
/// until then, and gone only after. What else lies in the folder, an index for example, is kept.
public struct MapWriter: Sendable {
  /// The map's folder.
  public let destination: BytePath
  /// Whether a folder that is neither empty nor a map of ours may become one. Its files stay, but for those that have
  /// the names of a map's.
  public var replacesForeignFolder = false
  /// Has `leaflet.min.js` and `leaflet.css`, version 1.7 or later.
  public var leafletFolder: BytePath = "/usr/share/javascript/leaflet"
  /// The most pixels that a row of `map.png` may have.
  public var pictureWidth = 4096
  /// Whether it is a PNG or a JPEG file.
  public var pictureFormat = SheetFormat.png
  /// Further files with the map's order.
  public var exports: [MapExport] = []
  /// The way through the map that they follow.
  public var path = CellPath.snake
  /// How many sheets are drawn at the same time.
  public var threadCount = AvailableProcessors.count

  private let folder: MapFolder

  /// A writer for this folder, which need not exist.
  public init(destination: BytePath) {
    self.destination = destination
    folder = MapFolder(destination)
  }

  /// Whether a map could be written here, to be asked before hours of work.
  /// - Throws: what is in the way, with the way out.
  public func check() throws(AtlasError) {
    try folder.check(force: replacesForeignFolder)
    try PageFiles.check(leafletFolder: leafletFolder)
    // Only trying tells: permissions, read-only disks and quotas have no common question.
    try StagingFolder(for: folder).discard()
  }

  /// Whether the folder may become a map's.
  /// - Throws: what is in the way, with the way out.
  public func checkFolder() throws(AtlasError) {
    try folder.check(force: replacesForeignFolder)
  }

  /// What the map that lies here says of itself; nil where there is none, or a part of it is missing.
  public var existing: MapSummary? {
    for entry in MapFolder.necessaryEntries {
      guard (try? FileSystem.kind(folder.path.appending(entry))) != .missing else { return nil }
    }
    guard let head = try? FileSystem.read(folder.path.appending("map.json"), count: 1 << 12) else { return nil }
    return MapDocument.summary(inHead: head)
  }

  /// Writes a map.
  ///
  /// - Parameters:
  ///   - contents: what the map says; it has at least one cell.
  ///   - isCancelled: asked often, from several threads; once it says true, nothing of the new map remains.
  ///   - progress: told on the calling thread how much is done, and of how much.
  ///   - beforeReplacing: called when the new map is complete and about to take its place.
  /// - Returns: what was written.
  /// - Throws: what went wrong; nothing of the new map remains then.
  @discardableResult
  public func write(
    _ contents: MapContents, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }, beforeReplacing: () -> Void = {}
  ) throws(AtlasError) -> MapReport {
    try folder.check(force: replacesForeignFolder)
    try PageFiles.check(leafletFolder: leafletFolder)
    let staging = try StagingFolder(for: folder)
    do throws(AtlasError) {
      let report = try write(contents, into: staging.path, isCancelled: isCancelled, progress: progress)
      guard !isCancelled() else { throw .cancelled }
      beforeReplacing()
      try staging.commit()
      return report
    } catch {
      staging.discard()
      throw error
    }
  }

  private func write(
    _ contents: MapContents, into path: BytePath, isCancelled: @escaping @Sendable () -> Bool,
    progress: (Int, Int) -> Void
  ) throws(AtlasError) -> MapReport {
    let start = ContinuousClock.now
    let grid = contents.arrangement.grid
    let pyramid = Pyramid(grid: grid)
    let picture = ContactSheet(of: grid, width: pictureWidth, format: pictureFormat)
    let topSheets = pyramid.sheetColumns(Pyramid.topLevel) * pyramid.sheetRows(Pyramid.topLevel)
    let total = topSheets + (picture?.bandCount ?? 0)

    try PageFiles.write(into: path, leafletFolder: leafletFolder)
    try PageData(contents).write(into: path, title: title)
    for export in exports { try export.write(contents, along: self.path, into: path) }
    try FailureTable.write(contents.failures, to: path.appending("failures.tsv"))
    let last = contents.last.map {
      LastSheets(folder: folder.path, columns: $0.columns, shown: $0.shown, new: $0.pictures)
    }
    let drawing = PyramidDrawing(contents.arrangement, thumbnails: contents.thumbnails, last: last, into: path)
    try drawing.draw(threads: threadCount, isCancelled: isCancelled) { progress($0, total) }
    try picture?.write(
      to: path.appending(pictureFormat.fileName), from: path, threads: threadCount, isCancelled: isCancelled
    ) { progress(topSheets + $0, total) }

    let elapsed = (ContinuousClock.now - start).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    try MapDocument(contents).write(
      to: path.appending("map.json"), seconds: contents.seconds + [(stage: "drawing", seconds: seconds)])
    return MapReport(
      sheetCount: pyramid.sheetCount, reusedSheetCount: drawing.reusedSheetCount,
      picture: picture.map { .init(width: $0.width, height: $0.height) },
      damagedThumbnailCount: drawing.damagedThumbnailCount, seconds: seconds
    )
  }

  /// What the page calls the map: its folder's name.
  private var title: String {
    String(decoding: folder.path.lastComponent, as: UTF8.self)
  }
}
