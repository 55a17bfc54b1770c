import COpenCL
import Foundation

extension OpenCLRuntime {
  /// The runtime without drivers that would take this process down, and what is known of all of them.
  ///
  /// To be called before anything else uses OpenCL, and before there is a second thread: where a driver is left out, the
  /// loader is sent to another folder by a variable of the environment.
  public static func load(
    _ probe: DriverProbe, fresh: Bool = false
  ) -> (runtime: Result<OpenCLRuntime, ComputeError>, reports: [DriverReport]) {
    if case .failure(let error) = OpenCLRuntime.libraryPath(loader) {
      return (.failure(.loaderMissing(reason: error.reason)), [])
    }
    let reports = probe.reports(fresh: fresh)
    let harmless = reports.filter { !$0.isDangerous }
    if harmless.count == reports.count { return (shared, reports) }
    if harmless.isEmpty { return (.failure(.noPlatform), reports) }
    guard let folder = DriverFolder(harmless.map(\.driver).filter { $0.flaw == nil }) else {
      return (.failure(.noPlatform), reports)
    }
    setenv("OCL_ICD_VENDORS", folder.path, 1)
    let runtime = withExtendedLifetime(folder) { shared }
    return (runtime, reports)
  }

  /// The loader's file name; `KIANO_OPENCL_LIBRARY` is for tests.
  static var loader: String { ProcessInfo.processInfo.environment["KIANO_OPENCL_LIBRARY"] ?? "libOpenCL.so.1" }

  /// Why a library can't be opened, in the dynamic linker's words.
  struct LibraryError: Error {
    let reason: String
  }

  /// Opens a library and says where it lies.
  static func libraryPath(_ library: String) -> Result<String, LibraryError> {
    var reason: UnsafeMutablePointer<CChar>?
    defer { free(reason) }
    guard let path = kiano_library_path(library, &reason) else {
      return .failure(LibraryError(reason: reason.map { String(cString: $0) } ?? "it can't be opened"))
    }
    defer { free(path) }
    return .success(String(cString: path))
  }
}
