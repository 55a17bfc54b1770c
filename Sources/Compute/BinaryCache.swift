import Foundation

/// Built programs on disk: building one takes a second, loading one a millisecond. What is known of drivers and what came
/// of self-tests lie beside them.
///
/// A file is a magic number, a checksum and its bytes. Whatever is wrong with the folder or a file, the caller
/// only sees a miss.
struct BinaryCache: Sendable {
  /// Where the files lie; nil where no folder can be had.
  let folder: URL?

  /// `$KIANO_CACHE_DIR`, else `$XDG_CACHE_HOME/kiano-gpu`, else `~/.cache/kiano-gpu`.
  static let standard: BinaryCache = {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String, _ suffix: String) -> URL? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return URL(fileURLWithPath: path + suffix)
    }
    return BinaryCache(
      folder: folder("KIANO_CACHE_DIR", "") ?? folder("XDG_CACHE_HOME", "/kiano-gpu")
        ?? folder("HOME", "/.cache/kiano-gpu"))
  }()

  /// The file name for a program on a device: a hash of all that its binary depends on.
  func key(device: DeviceDescription, program: ProgramKey) -> String {
    let parts =
      [device.platform, device.name, device.version, device.driver] + Program.baseOptions + program.options
      + [program.source.text]
    let bytes = Array(parts.joined(separator: "\0").utf8)
    return "\(program.source.name)-"
      + String(FNV1a.hash(bytes), radix: 16) + String(FNV1a.hash(bytes.reversed()), radix: 16) + ".bin"
  }

  func load(_ key: String) -> [UInt8]? {
    guard let folder, let data = try? Data(contentsOf: folder.appendingPathComponent(key)) else { return nil }
    let bytes = [UInt8](data)
    guard bytes.count > Self.headerCount, bytes.prefix(8).elementsEqual(Self.magic) else { return nil }
    let body = Array(bytes[Self.headerCount...])
    return Self.header(for: body, key) == Array(bytes[..<Self.headerCount]) ? body : nil
  }

  func store(_ binary: [UInt8], for key: String) {
    guard let folder else { return }
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // `.atomic` writes beside the file and renames, so that two runs at once can't mix their bytes.
    try? Data(Self.header(for: binary, key) + binary).write(to: folder.appendingPathComponent(key), options: .atomic)
  }

  func remove(_ key: String) {
    if let folder { try? FileManager.default.removeItem(at: folder.appendingPathComponent(key)) }
  }

  private static let magic = Array("kianobin".utf8)
  private static let headerCount = 16

  /// With the key, so that a file under another's name is a miss.
  private static func header(for body: [UInt8], _ key: String) -> [UInt8] {
    magic + withUnsafeBytes(of: FNV1a.hash(Array(key.utf8) + body).littleEndian, Array.init)
  }
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a: for telling files apart, not against forgery.
enum FNV1a {
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
