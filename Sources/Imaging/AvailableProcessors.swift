import Foundation

/// How many threads can run at the same time.
public enum AvailableProcessors {
  /// The processors that this process may use: those it is bound to (`taskset`, cpusets), or fewer where its control
  /// group allows less time.
  public static let count: Int = max(1, min(ProcessInfo.processInfo.activeProcessorCount, quota ?? .max))

  /// The smallest limit of our control group and those above it, rounded up to whole processors.
  private static var quota: Int? {
    ControlGroup.files(named: "cpu.max").compactMap(processors).min()
  }

  /// Processors of a `cpu.max` file: `150000 100000` (microseconds in each period) is 2, `max 100000` is no limit.
  static func processors(_ limit: String) -> Int? {
    let numbers = limit.split(whereSeparator: \.isWhitespace).map { Int($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0 else { return nil }
    return (time + period - 1) / period
  }
}
