import Imaging

/// What a job tells while it runs. Everything is called on the job's thread.
public struct JobEvents {
  /// How far the job is.
  public var progress: JobProgressHandler
  /// A file that can't be used, and why, in words.
  public var unreadable: (BytePath, String) -> Void
  /// Something that a person may want to know.
  public var note: (String) -> Void

  /// Asks a person whether to go on, where there is somebody to ask.
  public var confirm: (String) -> Bool
  /// How many vectors have been computed, before they are written down.
  public var computed: (Int) -> Void

  /// Handlers; by default nobody listens, or agrees.
  public init(
    progress: @escaping JobProgressHandler = { _ in },
    unreadable: @escaping (BytePath, String) -> Void = { _, _ in }, note: @escaping (String) -> Void = { _ in },
    confirm: @escaping (String) -> Bool = { _ in false }, computed: @escaping (Int) -> Void = { _ in }
  ) {
    self.progress = progress
    self.unreadable = unreadable
    self.note = note
    self.confirm = confirm
    self.computed = computed
  }
}
