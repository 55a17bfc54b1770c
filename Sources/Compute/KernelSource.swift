import Kernels

/// One OpenCL C file that the program carries (`kernels/NAME.cl`).
public struct KernelSource: Sendable, Hashable {
  /// The file's name without its ending.
  public let name: String
  /// The text.
  public let text: String

  /// A source of one's own.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// The embedded file with this name, which must exist.
  public static func embedded(_ name: String) -> KernelSource {
    guard let source = all.first(where: { $0.name == name }) else {
      preconditionFailure("kernels/kernels.c doesn't embed \(name).cl")
    }
    return source
  }

  /// All embedded files, by name.
  public static let all: [KernelSource] =
    UnsafeBufferPointer(start: kiano_kernel_sources, count: kiano_kernel_sources_count).map { source in
      KernelSource(
        name: String(cString: source.name),
        text: String(decoding: UnsafeBufferPointer(start: source.source, count: source.count), as: UTF8.self))
    }.sorted { $0.name < $1.name }
}
