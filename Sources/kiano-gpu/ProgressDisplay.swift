import Engine
import Foundation

/// Draws progress: a bar on a terminal, else a line every ten seconds.
final class ProgressDisplay {
  private let isBar: Bool
  private let interval: Duration
  private var stage: JobProgress.Stage?
  private var last = ContinuousClock.now
  private var barIsDrawn = false

  /// - Parameter isQuiet: whether nothing is drawn.
  init?(isQuiet: Bool) {
    if isQuiet { return nil }
    isBar = Console.errorIsTerminal
    interval = isBar ? .milliseconds(100) : .seconds(10)
  }

  /// Takes news of a job.
  func update(_ progress: JobProgress) {
    let now = ContinuousClock.now
    let isNewStage = progress.stage != stage
    // A new stage is drawn at once on a terminal; in a log it waits for its first ten seconds.
    guard now - last >= interval || (isNewStage && isBar) else { return }
    stage = progress.stage
    last = now
    let text = Self.text(progress)
    if isBar {
      // A line that wrapped couldn't be drawn over.
      Console.draw("\r\u{1b}[K" + String((Self.bar(progress) + text).prefix(max(Console.width - 1, 1))))
      barIsDrawn = true
    } else {
      Console.note(text)
    }
  }

  /// Takes the bar away, so that a line can be printed.
  func clear() {
    if barIsDrawn { Console.draw("\r\u{1b}[K") }
    barIsDrawn = false
  }

  private static func bar(_ progress: JobProgress) -> String {
    guard let total = progress.total, total > 0 else { return "" }
    let width = 24
    let filled = min(width, progress.done * width / total)
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "] "
  }

  private static func text(_ progress: JobProgress) -> String {
    let word = String(describing: progress.stage)
    guard let total = progress.total, total > 0 else {
      return progress.done > 0 ? "\(word): \(progress.done)" : word
    }
    var text =
      progress.stage == .sorting || progress.stage == .drawing
      ? "\(word): \(progress.done * 100 / total) %" : "\(word): \(progress.done) of \(total)"
    if progress.rate > 0, progress.done < total {
      if progress.stage == .reading { text += String(format: ", %.0f a second", progress.rate) }
      text += ", " + duration(Double(total - progress.done) / progress.rate) + " left"
    }
    return text
  }

  /// "8 s", "2 min 5 s", "1 h 2 min".
  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60
      ? "\(whole) s" : whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
  }
}
