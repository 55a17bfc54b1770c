import Imaging
import Library

extension ScanRules {
  /// The files below some folders that may be pictures, for jobs without an index.
  /// - Throws: `EngineError`; where a folder can't be looked at, its kind is `nothingUsable`.
  func files(
    in roots: [BytePath], _ cancellation: Cancellation, _ events: JobEvents
  ) throws(EngineError) -> [BytePath] {
    events.progress(JobProgress(stage: .scanning, done: 0, total: nil, rate: 0))
    do throws(ScanError) {
      return try LibraryScanner(rules: self).scan(roots, isCancelled: { cancellation.isRequested }).files.map(\.path)
    } catch {
      if cancellation.isRequested { throw .cancelled }
      throw EngineError(.nothingUsable, "\(error)")
    }
  }
}
