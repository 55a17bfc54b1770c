// What ingestion costs beyond decoding: see `run` in this folder.
import Compute
import Features
import Foundation
import Imaging
import Library

/// Prints a line that a script can read: what was done, files, milliseconds, mebibytes of this process, of a child,
/// milliseconds of processor time.
func report(_ name: String, _ body: () throws -> Int) rethrows {
  let start = ContinuousClock.now
  let count = try body()
  let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
  let (own, children) = (usage(RUSAGE_SELF.rawValue), usage(RUSAGE_CHILDREN.rawValue))
  print(
    [
      name, "\(count)", String(format: "%.1f", milliseconds), "\(own.mebibytes)", "\(children.mebibytes)",
      String(format: "%.1f", own.milliseconds + children.milliseconds),
    ].joined(separator: "\t"))
}

/// The largest resident size and the processor time of this process, or of the largest and of all of its children.
func usage(_ who: Int32) -> (mebibytes: Int, milliseconds: Double) {
  var usage = rusage()
  getrusage(__rusage_who_t(who), &usage)
  func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
  return (Int(usage.ru_maxrss) >> 10, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime))
}

func paths(in folder: String) throws -> [BytePath] {
  try LibraryScanner().scan([BytePath(folder)]).files.map(\.path)
}

let arguments = CommandLine.arguments
switch arguments.count > 2 ? arguments[1] : "" {
case "make":
  try SampleFiles(
    folder: arguments[2], count: Int(arguments[3])!, width: Int(arguments[4])!, height: Int(arguments[5])!
  ).write()
case "bare":
  let files = try paths(in: arguments[2])
  report("bare") { BareLoop.decode(files) }
case "direct", "isolated":
  let files = try paths(in: arguments[2])
  let isolation = arguments[1] == "isolated" ? DecoderIsolation(program: BytePath(arguments[3])) : nil
  report(arguments[1]) {
    var count = 0
    ParallelDecoder(isolation: isolation).decode(files) { _, result in
      if case .success = result { count += 1 }
    }
    return count
  }
case "scan":
  let start = ContinuousClock.now
  let summary = try LibraryScanner().visit([BytePath(arguments[2])]) { _ in }
  let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
  // Not what `usage` says: that counts what the process had before it became this program, too.
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
  let peak = status.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropFirst().first ?? "?"
  print("scan\t\(summary.fileCount)\t\(String(format: "%.1f", milliseconds))\t\(peak)")
case "network":
  let count = Int(arguments[2])!
  let extractor: any FeatureExtractor =
    if let device = try DeviceSelection("auto").open(note: { _ in }) {
      try OpenCLFeatureExtractor(device: device)
    } else {
      SwiftFeatureExtractor(threadCount: AvailableProcessors.count)
    }
  // As many at once as `sort` gives it.
  let pictures = [UInt8](repeating: 100, count: 32 * 128 * 128 * 3)
  try report("network") {
    for _ in 0..<(count + 31) / 32 { _ = try pictures.withUnsafeBufferPointer { try extractor.vectors($0) } }
    return count
  }
default:
  print(
    "usage: ingestion-benchmark make FOLDER COUNT WIDTH HEIGHT | bare FOLDER | direct FOLDER | isolated FOLDER PROGRAM | scan FOLDER | network COUNT"
  )
  exit(2)
}
