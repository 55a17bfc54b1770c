import Foundation

/// Where tests find data and make files.
public enum Locations {
  /// The checkout that this test was compiled in, or what `KIANO_TEST_REPOSITORY` says is in its place on another machine.
  public static let repository: URL = {
    if let path = ProcessInfo.processInfo.environment["KIANO_TEST_REPOSITORY"] { return URL(fileURLWithPath: path) }
    return URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }()

  /// Data that is too large for the repository, beside the checkout or where `KIANO_SHARED` says. Tests that need it
  /// are skipped without it.
  public static let shared: URL? = {
    let environment = ProcessInfo.processInfo.environment["KIANO_SHARED"]
    let folder =
      environment.map { URL(fileURLWithPath: $0) }
      ?? repository.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The program of the build that this test is part of; nil where it wasn't built.
  public static let program: String? = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let folder =
      bundle.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
      ?? repository.appendingPathComponent(".build/release")
    let path = folder.appendingPathComponent("kiano-gpu").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  /// Runs `body` with a new, empty folder, and removes the folder afterwards.
  public static func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kiano-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
