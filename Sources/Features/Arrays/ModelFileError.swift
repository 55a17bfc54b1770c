/// Why a file of arrays or weights can't be used. Each case names the tensor, member or field it speaks of.
public enum ModelFileError: Error, Equatable, CustomStringConvertible {
  /// The file ends before the thing named.
  case truncated(String)
  /// The thing named isn't what the format says; the second string says how.
  case malformed(String, String)
  /// An element type, compression or layout that isn't read.
  case unsupported(String, String)
  /// No tensor of that name.
  case missing(String)
  /// A tensor with infinite numbers, or such as are none.
  case notFinite(String)
  /// A tensor of another shape than the network's.
  case wrongShape(String, found: [Int], expected: [Int])

  /// The failure in words.
  public var description: String {
    switch self {
    case .truncated(let subject): "\(subject): the file ends too early; copy or download it again"
    case .malformed(let subject, let reason): "\(subject): \(reason)"
    case .unsupported(let subject, let reason): "\(subject): \(reason)"
    case .missing(let name): "tensor \(name) is missing"
    case .notFinite(let name): "tensor \(name) has numbers that aren't finite"
    case .wrongShape(let name, let found, let expected): "tensor \(name) has shape \(found), expected \(expected)"
    }
  }
}
