import Atlas
import Features
import Foundation
import Imaging
import Library
import Sorting

/// The second half of a sort: from an index that is up to date to a map.
struct MapWork {
  let job: SortJob
  let writer: MapWriter
  let links: LinkFolder?
  let index: LibraryIndex
  let outcome: LibraryUpdate.Outcome

  // MARK: - What the map is to be

  /// What a map shows and how, in a few letters.
  struct Edition {
    /// Of a map that was sorted from the beginning.
    let fresh: String
    /// Of one that went on from an earlier map; nil where that wouldn't do.
    let continued: String?

    func isMet(by edition: String) -> Bool { edition == fresh || edition == continued }
  }

  func edition() throws(IndexError) -> Edition {
    let contents = index.mark(of: outcome.changes, failures: outcome.failures)
    let files = "\(job.sheetWidth) \(job.sheetFormat), \(writer.exports) along \(job.path)"
    let text = "\(try index.generation) \(try index.vectorIdentity) \(contents)\n\(sorting)\n\(drawing)\n\(files)\n"
    func letters(_ kind: String) -> String {
      let hash = Array((text + kind).utf8).withUnsafeBytes { ContentHash(of: $0) }
      return String(hash.high, radix: 36) + String(hash.low, radix: 36)
    }
    return Edition(fresh: letters("fresh"), continued: job.isFresh ? nil : letters("continued"))
  }

  /// What the sheets look like beside the pictures.
  private var drawing: String { "version \(job.programVersion)" }

  /// What the arrangement depends on beside the pictures.
  private var sorting: String {
    let tuning = job.tuning
    let size = job.size.map { "\($0.columns)x\($0.rows)" } ?? "aspect \(job.aspect)"
    return
      "\(tuning.preset) \(tuning.groupSize ?? 0) \(tuning.passes ?? 0) \(tuning.decay ?? 0) \(tuning.crossSteps ?? -1) "
      + "seed \(tuning.seed), \(job.edges.rawValue) \(size), holes \(job.holes.rawValue), content \(job.contentWeight)"
  }

  // MARK: - Making it

  func run(
    _ edition: Edition, _ compute: ComputeChoice, _ cancellation: Cancellation, _ events: JobEvents,
    seconds: inout [(String, Double)]
  ) throws(EngineError) -> SortJob.Report.Map {
    let pictures = try indexing { () throws(IndexError) in try index.pictures(of: outcome.changes) }
    let mix = VectorMix(pictures.vectors, contentWeight: job.contentWeight)
    let packed = PackedVectors(
      count: pictures.ids.count, dimensions: mix.dimensionCount, bytes: mix.pack(pictures.vectors))
    var settings = job.tuning.settings(dimensions: packed.dimensions)
    let record = try indexing { () throws(IndexError) in try index.map(at: writer.destination) }
    let plan = try plan(packed, pictures, after: record, seed: settings.seed)
    if plan.continues { settings.firstRadius = plan.radius }
    let sorted: TimedSort
    if plan.isSorted {
      sorted = TimedSort(arrangement: plan.start.arrangement!, seconds: 0, device: compute.firstName, notes: [])
    } else {
      sorted = try timedSort(
        packed, on: plan.grid, settings: settings, from: plan.start, compute, cancellation, events.progress)
    }
    sorted.notes.forEach(events.note)
    seconds.append(("sorting", sorted.seconds))
    let name = plan.continues ? edition.continued ?? edition.fresh : edition.fresh
    try remember(sorted.arrangement, pictures, changes: plan.changes, edition: name)

    let start = ContinuousClock.now
    events.progress(JobProgress(stage: .measuring, done: 0, total: nil, rate: 0))
    let quality = try MapQuality(of: sorted.arrangement, packed, settings: settings, compute, note: events.note)
    seconds.append(("measuring", (ContinuousClock.now - start).inSeconds))

    let thumbnails = ThumbnailReader(of: index.path)
    let ids = pictures.contents
    var contents = contents(
      pictures, sorted, quality, settings, seconds,
      MapThumbnails(full: { try thumbnails.thumbnail(ids[$0]) }, half: { try thumbnails.half(ids[$0]) }))
    contents.edition = name
    // Only where the map that lies there is the one that the index remembers.
    if let record, record.drawing == drawing, record.edition == writer.existing?.edition {
      contents.last = MapContents.LastMap(
        columns: record.columns, shown: record.cells.map(\.content), pictures: ids)
    }
    try draw(contents, cancellation, events, seconds: &seconds) {
      // The index moves to the new map's folder with its name: nothing of it should be under way.
      thumbnails.close()
      index.close(keepsLock: true)
    }
    index.close()
    if let links { try mapping { () throws(AtlasError) in try links.write(contents) } }
    return SortJob.Report.Map(
      arrangement: sorted.arrangement, isContinued: plan.continues, quality: quality?.dpq,
      randomQuality: quality?.random, device: sorted.device)
  }

  private func plan(
    _ packed: PackedVectors, _ pictures: IndexedPictures, after record: MapRecord?, seed: UInt64
  ) throws(EngineError) -> MapPlan {
    let grid =
      try job.size.map { size throws(EngineError) in
        try Grid(size, edges: job.edges, for: packed.count, called: "pictures")
      } ?? Grid(fitting: packed.count, aspect: job.aspect, edges: job.edges)
    if !job.isFresh, job.holes == .anywhere, let record, record.settings == sorting {
      let isUnchanged = record.contents == pictures.mark
      if let plan = MapPlan(continuing: record, edges: job.edges, with: pictures.ids, packed, isUnchanged: isUnchanged),
        job.size == nil || plan.grid == grid
      {
        return plan
      }
    }
    return MapPlan(fresh: packed, grid: grid, holes: job.holes, seed: seed)
  }

  private func remember(
    _ arrangement: Arrangement, _ pictures: IndexedPictures, changes: Int, edition: String
  ) throws(EngineError) {
    try indexing { () throws(IndexError) in
      let record = MapRecord(
        edition: edition, contents: pictures.mark, settings: sorting, drawing: drawing, changes: changes,
        columns: arrangement.grid.columns,
        cells: arrangement.items.map { item in
          item == Arrangement.hole
            ? .hole : MapRecord.Cell(picture: pictures.ids[Int(item)], content: pictures.contents[Int(item)])
        })
      try index.remember(record, at: writer.destination)
    }
  }

  private func draw(
    _ contents: MapContents, _ cancellation: Cancellation, _ events: JobEvents, seconds: inout [(String, Double)],
    beforeReplacing: () -> Void
  ) throws(EngineError) {
    let drawing = StageProgress(.drawing, total: 1000, handler: events.progress)
    let report = try mapping { () throws(AtlasError) in
      try writer.write(
        contents, isCancelled: { cancellation.isRequested }, progress: { drawing.report($0 * 1000 / max($1, 1)) },
        beforeReplacing: beforeReplacing)
    }
    seconds.append(("drawing", report.seconds))
    if report.damagedThumbnailCount > 0 {
      events.note("\(report.damagedThumbnailCount) thumbnails couldn't be drawn; their cells are blank")
    }
  }

  private func contents(
    _ pictures: IndexedPictures, _ sorted: TimedSort, _ quality: MapQuality?, _ settings: SortingSettings,
    _ seconds: [(String, Double)], _ thumbnails: MapThumbnails
  ) -> MapContents {
    let shown = zip(pictures.paths, pictures.facts).map { path, facts in
      MapPicture(
        path: path, width: facts.width, height: facts.height, takenAt: facts.takenAt, isPartial: facts.isPartial)
    }
    var contents = MapContents(
      programVersion: job.programVersion, arrangement: sorted.arrangement, pictures: shown, thumbnails: thumbnails)
    contents.settings = settings
    contents.contentWeight = job.contentWeight
    contents.device = sorted.device
    contents.quality = quality.map { MapContents.Quality(dpq16: $0.dpq, random: $0.random) }
    contents.seconds = seconds.map { (stage: $0.0, seconds: $0.1) }
    contents.failures = outcome.failures.map { MapFailure(path: $0.path, reason: $0.reason) }
    contents.skipped = outcome.skipped
    contents.vectors = MapVectors(
      content: pictures.vectors.content, contentDimensions: Projection.outputCount,
      appearance: pictures.vectors.appearance, appearanceDimensions: AppearanceVector.count)
    return contents
  }
}
