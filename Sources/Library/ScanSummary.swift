/// What a scan passed over and what it could not look at.
public struct ScanSummary: Sendable, Equatable {
  /// Nothing at all.
  public init() {}

  /// How many files were found.
  public internal(set) var fileCount = 0
  /// How much of each kind was passed over; folders count as one.
  public internal(set) var skipped: [SkippedKind: Int] = [:]
  /// What couldn't be looked at.
  public internal(set) var failures: [ScanFailure] = []
  /// How many folders were listed.
  public internal(set) var folderCount = 0

  /// This and then another.
  public func followed(by other: ScanSummary) -> ScanSummary {
    var sum = self
    sum.fileCount += other.fileCount
    sum.skipped.merge(other.skipped, uniquingKeysWith: +)
    sum.failures += other.failures
    sum.folderCount += other.folderCount
    return sum
  }

  /// The same with more passed over.
  func adding(_ count: Int, of kind: SkippedKind) -> ScanSummary {
    if count == 0 { return self }
    var sum = self
    sum.fileCount -= kind == .repeated ? count : 0
    sum.skipped[kind, default: 0] += count
    return sum
  }
}
