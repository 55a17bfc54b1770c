import Foundation

/// A driver as the OpenCL loader finds it: an `.icd` file, which names a library.
public struct DriverFile: Sendable, Equatable, Codable {
  /// The file; of a library that is named by `OCL_ICD_VENDORS` itself, that.
  public let path: String
  /// The library that it names, a path or a name for the system to look up.
  public let library: String
  /// What is wrong with the file itself, so that there is no library to load; nil where nothing is.
  let flaw: String?

  /// The drivers that the loader would load.
  public static func installed(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> (folder: String, files: [DriverFile]) {
    let place = environment["OCL_ICD_VENDORS"] ?? "/etc/OpenCL/vendors"
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
    if exists, !isFolder.boolValue {
      // Not in a folder of the loader's: one file, or the library itself.
      return (place, [place.hasSuffix(".icd") ? DriverFile(at: place) : DriverFile(path: place, library: place)])
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return (place, names.filter { $0.hasSuffix(".icd") }.sorted().map { DriverFile(at: "\(place)/\($0)") })
  }

  private init(path: String, library: String, flaw: String? = nil) {
    (self.path, self.library, self.flaw) = (path, library, flaw)
  }

  /// What an `.icd` file says.
  private init(at path: String) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      self.init(path: path, library: "", flaw: "it can't be read, or is no file")
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      self.init(path: path, library: "", flaw: "it isn't text")
      return
    }
    let line = text.split(whereSeparator: \.isNewline).first?.trimmingCharacters(in: .whitespaces) ?? ""
    self.init(path: path, library: line, flaw: line.isEmpty ? "it names no library" : nil)
  }
}

/// A folder that the loader can be sent to instead of the system's, for as long as this value lives.
final class DriverFolder {
  let path: String

  /// - Returns: nil where no folder can be made.
  init?(_ files: [DriverFile]) {
    let template = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/kiano-gpu-drivers-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else { return nil }
    path = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    for (number, file) in files.enumerated() {
      let copy = URL(fileURLWithPath: path).appendingPathComponent("\(number).icd")
      guard (try? Data((file.library + "\n").utf8).write(to: copy)) != nil else { return nil }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
