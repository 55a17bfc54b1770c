import Foundation

/// Tries drivers out in processes of their own, since one that crashes or hangs takes its process down with it.
public struct DriverProbe: Sendable {
  /// The argument by which a program learns that it is such a process; no person needs to know it.
  public static let argument = "--driver-probe"

  /// The program to run; it must call `DriverProbe.runChild` when given `argument`.
  let program: String
  /// How long a driver may take.
  let seconds: Int
  let memory: DriverMemory

  /// This program once more; `KIANO_PROBE_SECONDS` is for tests.
  public static var ofThisProgram: DriverProbe {
    let seconds = ProcessInfo.processInfo.environment["KIANO_PROBE_SECONDS"].flatMap { Int($0) }
    return DriverProbe(program: "/proc/self/exe", seconds: seconds ?? 20, memory: DriverMemory(cache: .standard))
  }

  // MARK: - Asking

  /// What is known of each installed driver.
  /// - Parameter fresh: whether all are tried, whatever is remembered.
  public func reports(fresh: Bool = false) -> [DriverReport] {
    let drivers = DriverFile.installed().files
    var reports = drivers.map { driver in
      driver.flaw.map { DriverReport(driver: driver, libraryPath: nil, outcome: .unusable($0)) }
        ?? (fresh ? nil : memory.report(of: driver))
    }
    // All at once: a driver that wakes up a GPU takes seconds.
    let children = zip(drivers, reports).map { $1 == nil ? start($0) : nil }
    let deadline = ContinuousClock.now + .seconds(seconds)
    for (index, child) in children.enumerated() {
      guard let child else { continue }
      let report = finish(child, drivers[index], by: deadline)
      reports[index] = report
      memory.remember(report)
    }
    return reports.map { $0! }
  }

  private struct Child {
    let process: Result<ChildProcess, SystemError>
    let folder: DriverFolder?
  }

  private func start(_ driver: DriverFile) -> Child {
    let folder = DriverFolder([driver])
    var environment = ProcessInfo.processInfo.environment
    if let folder { environment["OCL_ICD_VENDORS"] = folder.path }
    let process = Result { () throws(SystemError) in
      try ChildProcess(program: program, arguments: [Self.argument, driver.library], environment: environment)
    }
    return Child(process: process, folder: folder)
  }

  private func finish(_ child: Child, _ driver: DriverFile, by deadline: ContinuousClock.Instant) -> DriverReport {
    var report = DriverReport(driver: driver, libraryPath: nil, outcome: .unknown("it didn't answer"))
    switch child.process {
    case .failure(let error): report.outcome = .unknown("\(error)")
    case .success(let process):
      let (output, end) = process.finish(by: deadline)
      for line in output.split(separator: UInt8(ascii: "\n")) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { continue }
        if let path = answer.libraryPath { report.libraryPath = path }
        if let outcome = answer.outcome { report.outcome = outcome }
      }
      switch end {
      case .exited(0): break
      case .exited(let code): report.outcome = .crashed("its process ended with code \(code)")
      case .signalled(let number):
        report.outcome = .crashed("signal \(number) (\(strsignal(number).map { String(cString: $0) } ?? "unknown"))")
      case .timedOut: report.outcome = .hung(seconds)
      }
    }
    return report
  }

  // MARK: - Answering

  /// A line that the process prints.
  private struct Answer: Codable {
    var libraryPath: String?
    var outcome: DriverReport.Outcome?
  }

  /// The whole of such a process: opens the library, lists its devices, and prints what it saw on the way.
  public static func runChild(library: String) {
    // Drivers talk to themselves.
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(Int32(RLIMIT_CORE.rawValue), &limit)
    func say(_ answer: Answer) {
      var line = (try? JSONEncoder().encode(answer)) ?? Data()
      line.append(UInt8(ascii: "\n"))
      _ = line.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
    }
    switch OpenCLRuntime.libraryPath(library) {
    case .failure(let error): return say(Answer(outcome: .missing(error.reason)))
    case .success(let path): say(Answer(libraryPath: path))
    }
    switch OpenCLRuntime.shared {
    case .success(let runtime):
      say(
        Answer(
          outcome: .listed(
            runtime.platforms.map { platform in
              .init(name: platform.name, deviceCount: runtime.devices.count { $0.platform == platform.name })
            })))
    case .failure(.noDevice(let platforms)):
      say(Answer(outcome: .listed(platforms.map { .init(name: $0, deviceCount: 0) })))
    case .failure(.noPlatform): say(Answer(outcome: .listed([])))
    case .failure(let error): say(Answer(outcome: .unknown("\(error)")))
    }
  }
}
