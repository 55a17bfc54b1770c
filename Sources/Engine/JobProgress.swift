import Foundation

/// How far a job is.
public struct JobProgress: Sendable, Equatable {
  /// The parts of a job, in the order in which they come.
  public enum Stage: String, Sendable, CaseIterable {
    case scanning, learning, reading, sorting, measuring, drawing, comparing
  }

  /// What is being done.
  public let stage: Stage
  /// How much of it is done, in the stage's units: files, or thousandths.
  public let done: Int
  /// How much there is to do; nil where it isn't known yet.
  public let total: Int?
  /// Units a second since the stage began; 0 where that says nothing yet.
  public let rate: Double
}

/// Whoever wants to know how far a job is. Called on the job's thread, often; it should return at once.
public typealias JobProgressHandler = (JobProgress) -> Void

/// Tells a handler of one stage, with the rate since it began.
struct StageProgress {
  let stage: JobProgress.Stage
  let total: Int?
  let handler: JobProgressHandler
  private let start = ContinuousClock.now

  init(_ stage: JobProgress.Stage, total: Int?, handler: @escaping JobProgressHandler) {
    self.stage = stage
    self.total = total
    self.handler = handler
    handler(JobProgress(stage: stage, done: 0, total: total, rate: 0))
  }

  func report(_ done: Int) {
    let elapsed = (ContinuousClock.now - start).inSeconds
    handler(JobProgress(stage: stage, done: done, total: total, rate: elapsed > 0.2 ? Double(done) / elapsed : 0))
  }
}

extension Duration {
  /// The duration in seconds.
  public var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
