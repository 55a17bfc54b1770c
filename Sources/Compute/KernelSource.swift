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

  /// The embedded file with this name, which must exist; a line `#include "OTHER.cl"` stands for that file's text.
  public static func embedded(_ name: String) -> KernelSource {
    guard let source = all.first(where: { $0.name == name }) else {
      preconditionFailure("kernels/kernels.c doesn't embed \(name).cl")
    }
    let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
    return KernelSource(
      name: name, text: lines.map { included($0).map { embedded($0).text } ?? String($0) }.joined(separator: "\n"))
  }

  /// The name of the file that a line includes; nil for any other line.
  private static func included(_ line: Substring) -> String? {
    let (start, end) = ("#include \"", ".cl\"")
    guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
    return String(line.dropFirst(start.count).dropLast(end.count))
  }

  /// All embedded files as they are, by name.
  public static let all: [KernelSource] =
    UnsafeBufferPointer(start: kiano_kernel_sources, count: kiano_kernel_sources_count).map { source in
      KernelSource(
        name: String(cString: source.name),
        text: String(decoding: UnsafeBufferPointer(start: source.source, count: source.count), as: UTF8.self))
    }.sorted { $0.name < $1.name }
}
