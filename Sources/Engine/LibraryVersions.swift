import Compute
import Foundation
import Imaging

/// The libraries that the program uses, with their versions, for `--version`.
/// - Parameter probe: tries drivers out before they are loaded.
public func libraryVersions(_ probe: DriverProbe) -> [String] {
  let codecs = ImageCodecs.libraries
  switch OpenCLRuntime.load(probe).runtime {
  case .success(let runtime):
    return codecs + ["OpenCL loader: \(loaderPath ?? "found")"]
      + runtime.platforms.map { "OpenCL: \($0.name), \($0.version)" }
  case .failure(let error):
    return codecs + ["OpenCL loader: \(loaderPath ?? "none")", "OpenCL: none (\(error))"]
  }
}

/// The file of OpenCL's loader, which the runtime has opened, as the system lists what is in this process; nil where there
/// is none.
private var loaderPath: String? {
  // Its size isn't known before it is read, which other ways of reading a file rely on.
  let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
  let regions = String(decoding: bytes ?? Data(), as: UTF8.self)
  let paths = regions.split(separator: "\n").lazy.map { $0.drop { $0 != "/" } }
  return paths.first { $0.contains("/libOpenCL.so") }.map(String.init)
}
