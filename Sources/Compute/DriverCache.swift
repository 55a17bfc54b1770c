import Foundation

/// Where drivers that compile keep what they compiled.
///
/// PoCL lists no device where it can't write to its cache, and ends the process where the disk is full. So where its
/// folder won't do, it is given one that will.
enum DriverCache {
  /// Room that a few kernels take, with much to spare.
  private static let neededBytes: UInt64 = 64 << 20

  /// Sets `POCL_CACHE_DIR` where PoCL's own choice won't do. To be called before the first driver is loaded.
  static func prepare() {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = environment["POCL_CACHE_DIR"] {
      if isUsable(chosen) { return }
    } else if let folder = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map({ $0 + "/.cache" }),
      isUsable(folder + "/pocl")
    {
      return
    }
    let temporary = environment["TMPDIR"] ?? "/tmp"
    let substitute = "\(temporary)/kiano-gpu-pocl-\(getuid())"
    if isUsable(substitute) { setenv("POCL_CACHE_DIR", substitute, 1) }
  }

  private static func isUsable(_ folder: String) -> Bool {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard access(folder, W_OK | X_OK) == 0 else { return false }
    var status = stat()
    // Somebody else's folder could hand us programs of theirs.
    guard stat(folder, &status) == 0, status.st_uid == getuid() else { return false }
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { return true }
    return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= neededBytes
  }
}
