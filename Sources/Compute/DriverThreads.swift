import Foundation

/// Where drivers that compute on the processor run their threads.
///
/// PoCL wakes its threads for each kernel, and Linux often wakes two of them on one processor: kernels of a millisecond
/// then take nearly as long on two processors as on one. Bound to a processor each, they don't.
enum DriverThreads {
  /// Sets `POCL_AFFINITY`, unless it is set. To be called before the first driver is loaded.
  ///
  /// PoCL binds its threads to the processors from the first one on, which must be ours: not where this process is bound
  /// to some of them (`taskset`, cpusets).
  static func prepare() {
    let information = ProcessInfo.processInfo
    if information.activeProcessorCount == information.processorCount { setenv("POCL_AFFINITY", "1", 0) }
  }
}
