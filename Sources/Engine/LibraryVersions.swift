import Compute
import Imaging

/// The libraries that the program uses, with their versions, for `--version`.
public func libraryVersions() -> [String] {
  let codecs = ImageCodecs.libraries
  switch OpenCLRuntime.shared {
  case .success(let runtime): return codecs + runtime.platforms.map { "OpenCL: \($0.name), \($0.version)" }
  case .failure(let error): return codecs + ["OpenCL: none (\(error))"]
  }
}
