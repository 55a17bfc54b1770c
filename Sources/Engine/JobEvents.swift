import Imaging

/// What a job tells while it runs. Everything is called on the job's thread.
public struct JobEvents {
  /// How far the job is.
  public var progress: JobProgressHandler
  /// A file that can't be used, and why, in words.
  public var unreadable: (BytePath, String) -> Void
  /// Something that a person may want to know.
  public var note: (String) -> Void

  /// Handlers; by default nobody listens.
  public init(
    progress: @escaping JobProgressHandler = { _ in },
    unreadable: @escaping (BytePath, String) -> Void = { _, _ in }, note: @escaping (String) -> Void = { _ in }
  ) {
    self.progress = progress
    self.unreadable = unreadable
    self.note = note
  }
}
