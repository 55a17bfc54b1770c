import CImaging
import Foundation

/// How many threads can run at the same time.
public enum AvailableProcessors {
  /// The processors that this process may use: those it is bound to (`taskset`, cpusets), or fewer where its control
  /// group allows less time.
  public static let count: Int = {
    // Foundation knows only how many there are.
    let bound = Int(kiano_processor_count())
    let usable = bound > 0 ? bound : ProcessInfo.processInfo.activeProcessorCount
    return max(1, min(usable, ControlGroup.own.processorLimit ?? .max))
  }()
}
