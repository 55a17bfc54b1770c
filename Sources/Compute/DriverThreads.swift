import Foundation

/// Where drivers that compute on the processor run their threads.
///
/// PoCL wakes its threads for each kernel, and Linux often wakes two of them on one processor: kernels of a millisecond
/// then take nearly as long on two processors as on one. Bound to a processor each, they don't.
enum DriverThreads {
  /// Sets `POCL_AFFINITY`, unless it is set. To be called before the first driver is loaded.
  ///
  /// PoCL binds its threads to the processors from number 0 on, and ends the process where it may not. So all of those
  /// must be ours, which they aren't under `taskset` and in some containers, and there may be no more threads.
  static func prepare() {
    let information = ProcessInfo.processInfo
    let wanted = information.environment["POCL_MAX_PTHREAD_COUNT"].map { Int($0) ?? .max } ?? 1
    let count = information.processorCount
    let all = count == 1 ? "0" : "0-\(count - 1)"
    if wanted <= count, allowedProcessors == all { setenv("POCL_AFFINITY", "1", 0) }
  }

  /// The numbers of the processors that this process may use, as Linux writes them: `0-3,8`.
  private static var allowedProcessors: String? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    return line?.split(whereSeparator: \.isWhitespace).last.map { String($0) }
  }
}
