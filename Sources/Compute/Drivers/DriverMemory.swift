import Foundation

/// What is remembered of drivers, so that trying them out costs a start of the program nothing.
///
/// A report holds for one library, by its size, time and inode, and for one state of what the dynamic linker and the driver
/// look at. One of a driver that is dangerous is believed for an hour, since what it stumbled over may be gone.
struct DriverMemory: Sendable {
  let cache: BinaryCache
  private static let secondsOfDanger = 3600.0

  private struct Entry: Codable {
    let report: DriverReport
    let library: FileState?
    let time: Double
  }

  /// What tells that a file is the same as before.
  private struct FileState: Codable, Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (size, inode) = (Int(status.st_size), UInt64(status.st_ino))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    var text: String { "\(size) \(seconds) \(nanoseconds) \(inode)" }
  }

  /// What a fresh try would say; nil where that isn't known.
  func report(of driver: DriverFile) -> DriverReport? {
    guard let bytes = cache.load(key(of: driver)),
      let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)), entry.report.driver == driver,
      entry.library == state(of: entry.report)
    else { return nil }
    let age = Date().timeIntervalSince1970 - entry.time
    if entry.report.isDangerous, !(0..<Self.secondsOfDanger).contains(age) { return nil }
    return entry.report
  }

  func remember(_ report: DriverReport) {
    if case .unknown = report.outcome { return }
    let entry = Entry(report: report, library: state(of: report), time: Date().timeIntervalSince1970)
    guard let data = try? JSONEncoder().encode(entry) else { return }
    cache.store([UInt8](data), for: key(of: report.driver))
  }

  /// Of a library that wasn't found, that there is still none where it was named.
  private func state(of report: DriverReport) -> FileState? { FileState(report.libraryPath ?? report.driver.library) }

  private func key(of driver: DriverFile) -> String {
    let prefixes = ["OCL_", "OPENCL_", "POCL_", "CUDA_", "NVIDIA_", "LD_", "HIP_", "ROCR_", "ZE_"]
    // The loader's folder may be one of ours.
    let variables = ProcessInfo.processInfo.environment.filter { variable in
      variable.key != "OCL_ICD_VENDORS" && prefixes.contains { variable.key.hasPrefix($0) }
    }
    var parts = [driver.path, driver.library, "\(getuid())", FileState("/etc/ld.so.cache")?.text ?? ""]
    parts += variables.map { "\($0.key)=\($0.value)" }.sorted()
    return "driver-\(FNV1a.hash(Array(parts.joined(separator: "\0").utf8))).bin"
  }
}
