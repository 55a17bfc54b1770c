import Library

/// What a run found in a library, and what it did about it.
public struct LibraryReport: Sendable {
  /// Pictures that can be shown.
  public let pictureCount: Int
  /// Files that couldn't be read, now or when they were last tried.
  public let failureCount: Int
  /// Files that were passed over, by kind.
  public let skipped: [String: Int]
  /// Files that are as they were.
  public let unchangedCount: Int
  /// Files of which nothing was known.
  public let newCount: Int
  /// Files that have changed.
  public let modifiedCount: Int
  /// Files that have another name or place than before.
  public let movedCount: Int
  /// Pictures whose files are gone.
  public let goneCount: Int
  /// Pictures that the rules, or the choice of folders, now leave out.
  public let leftOutCount: Int
  /// Files that were read and decoded.
  public let readCount: Int
  /// Pictures whose vectors were computed.
  public let computedCount: Int
  /// Files that turned out to have the bytes of others that are known.
  public let recognisedCount: Int

  init(_ outcome: LibraryUpdate.Outcome) {
    let changes = outcome.changes
    pictureCount = changes.pictureCount
    failureCount = outcome.failures.count
    skipped = outcome.skipped
    unchangedCount = changes.unchangedCount
    // What is tried at every run isn't new at every run.
    newCount = max(0, changes.newCount - outcome.transientCount)
    let others = max(0, outcome.transientCount - changes.newCount)
    modifiedCount = max(0, changes.modifiedCount + changes.retriedCount - others)
    movedCount = changes.movedCount + changes.linkedCount
    goneCount = changes.goneCount
    leftOutCount = changes.leftOutCount + changes.elsewhereCount
    readCount = outcome.readCount
    computedCount = outcome.computedCount
    recognisedCount = outcome.recognisedCount
  }
}
