import Engine
import Foundation

/// Shows progress: a bar on a terminal, else a line every ten seconds; or lines for programs.
final class ProgressDisplay {
  private enum Form {
    case bar, lines, json
  }

  private let form: Form
  private var stage: JobProgress.Stage?
  private var last = ContinuousClock.now
  private var barIsDrawn = false

  /// Nil where nothing is to be shown.
  init?(_ options: OutputOptions) {
    switch options.progress {
    case .never: return nil
    case .auto where options.quiet: return nil
    case .auto: form = Console.errorIsTerminal ? .bar : .lines
    case .always: form = .bar
    case .json: form = .json
    }
  }

  /// Takes news of a job.
  func update(_ progress: JobProgress) {
    let now = ContinuousClock.now
    // A new stage is shown at once; in a log it waits for its first ten seconds.
    guard now - last >= interval || (progress.stage != stage && form != .lines) else { return }
    stage = progress.stage
    last = now
    switch form {
    case .bar:
      // A line that wrapped couldn't be drawn over.
      Console.draw("\r\u{1b}[K" + String((Self.bar(progress) + Self.text(progress)).prefix(max(Console.width - 1, 1))))
      barIsDrawn = true
    case .lines: Console.note(Self.text(progress))
    case .json: Console.note(JSONDocument.line(Document(progress), type: "progress"))
    }
  }

  private var interval: Duration {
    switch form {
    case .bar: .milliseconds(100)
    case .json: .seconds(1)
    case .lines: .seconds(10)
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
    let isCounted = progress.stage != .sorting && progress.stage != .drawing
    let rate = isCounted && progress.rate > 0 ? String(format: ", %.0f a second", progress.rate) : ""
    guard let total = progress.total, total > 0 else {
      return progress.done > 0 ? "\(word): \(progress.done)" + rate : word
    }
    let text = word + ": " + (isCounted ? "\(progress.done) of \(total)" : "\(progress.done * 100 / total) %") + rate
    return text + (progress.secondsLeft.map { ", " + duration($0) + " left" } ?? "")
  }

  /// "8 s", "2 min 5 s", "1 h 2 min".
  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    return whole < 60
      ? "\(whole) s" : whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// What `--progress json` prints.
  private struct Document: Encodable {
    let stage: String
    let done: Int
    let total: Int?
    let rate: Double?
    let secondsLeft: Double?

    init(_ progress: JobProgress) {
      (stage, done, total) = (progress.stage.rawValue, progress.done, progress.total)
      rate = progress.rate > 0 ? progress.rate : nil
      secondsLeft = progress.secondsLeft
    }
  }
}

extension JobProgress {
  /// How long the stage will still take at its rate; nil where that can't be told.
  fileprivate var secondsLeft: Double? {
    guard let total, rate > 0, done < total else { return nil }
    return Double(total - done) / rate
  }
}
