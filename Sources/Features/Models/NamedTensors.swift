/// A file's tensors under the names of one naming.
///
/// The file may put something before them all, write "/" for ".", and ":0" behind.
struct NamedTensors {
  let naming: TensorNaming
  private let source: any TensorSource
  /// The file's name of each tensor by the naming's.
  private let fileNames: [String: String]

  /// The naming that `source` has; nil where it has none of them.
  static func detected(in source: any TensorSource) -> NamedTensors? {
    TensorNaming.allCases.lazy.compactMap { NamedTensors(source, naming: $0) }
      // Both of PyTorch's have the same names at the ends: the blocks tell.
      .max { $0.knownLayerCount < $1.knownLayerCount }
  }

  private init?(_ source: any TensorSource, naming: TensorNaming) {
    let plain = source.names.map { (plain: Self.plainName($0), file: $0) }
    // Of the first layer that is there: a file that lacks one is still told which.
    let prefixes = NetworkDescription.kiano.layers.lazy.compactMap { layer -> Substring? in
      let weight = naming.names(of: layer).weight
      let found = plain.lazy.map(\.plain).filter { $0 == weight || $0.hasSuffix("." + weight) }
      // The shortest: what training adds, such as moving averages, has more before it.
      return found.min { $0.count < $1.count }.map { $0.dropLast(weight.count) }
    }
    guard let prefix = prefixes.first else { return nil }
    self.naming = naming
    self.source = source
    fileNames = Dictionary(
      plain.filter { $0.plain.hasPrefix(prefix) }.map { (String($0.plain.dropFirst(prefix.count)), $0.file) },
      uniquingKeysWith: { first, _ in first })
    // Without the first layer a name or two may be chance.
    let layers = NetworkDescription.kiano.layers
    if shape(names(of: layers[0]).weight) == nil, knownLayerCount <= layers.count / 2 { return nil }
  }

  private static func plainName(_ name: String) -> String {
    let dotted = name.replacing("/", with: ".")
    return dotted.hasSuffix(":0") ? String(dotted.dropLast(2)) : dotted
  }

  /// Layers of the network, whatever its width, whose weights are there.
  private var knownLayerCount: Int {
    NetworkDescription.kiano.layers.count { shape(names(of: $0).weight) != nil }
  }

  /// The names of a layer's tensors, those that this file uses where there are several.
  func names(of layer: NetworkLayer) -> TensorNaming.Layer {
    let names = naming.names(of: layer)
    if shape(names.weight) == nil, let other = naming.otherNames(of: layer), shape(other.weight) != nil { return other }
    return names
  }

  /// The extents of a tensor under the naming's name.
  func shape(_ name: String) -> [Int]? { fileNames[name].flatMap(source.shape) }

  /// The name that the file has for a tensor; the naming's where it has none.
  func fileName(_ name: String) -> String { fileNames[name] ?? name }

  /// The values of a tensor that is there.
  ///
  /// - Throws: ``ModelFileError`` where they aren't finite.
  func values(_ name: String) throws -> [Float] { try source.tensor(fileName(name)).finiteValues(fileName(name)) }

  /// The file's names of all tensors that `used`, of the naming's names, doesn't have.
  func extra(beside used: Set<String>) -> [String] {
    let files = Set(used.compactMap { fileNames[$0] })
    return source.names.filter { !files.contains($0) }
  }
}
