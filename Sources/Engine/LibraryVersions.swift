import Compute
import Imaging

/// The libraries that the program uses, with their versions, for `--version`.
/// - Parameter probe: tries drivers out before they are loaded.
public func libraryVersions(_ probe: DriverProbe) -> [String] {
  let codecs = ImageCodecs.libraries
  switch OpenCLRuntime.load(probe).runtime {
  case .success(let runtime): return codecs + runtime.platforms.map { "OpenCL: \($0.name), \($0.version)" }
  case .failure(let error): return codecs + ["OpenCL: none (\(error))"]
  }
}
