/// What a model's file says of the network beside its tensors: the `__metadata__` of a .safetensors file.
struct ModelMetadata: Equatable {
  var width: Double?
  var inputSize: Int?
  var padding: NetworkDescription.Padding?
  var scaling: NetworkDescription.InputScaling?

  /// Reads what is there.
  ///
  /// - Throws: ``ImportError/metadata(_:)``
  init(_ fields: [String: String]) throws {
    func field<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value? {
      guard let text = fields[name] else { return nil }
      guard let value = read(text) else { throw ImportError.metadata("\(name) is '\(text)'") }
      return value
    }
    width = try field("width") { text in Double(text).flatMap { (0.05...4).contains($0) ? $0 : nil } }
    inputSize = try field("input_size") { text in
      Int(text).flatMap { NetworkDescription.inputSizes.contains($0) ? $0 : nil }
    }
    padding = try field("padding", NetworkDescription.Padding.init)
    let mean = try field("mean", Self.threeNumbers)
    let deviation = try field("deviation") { Self.threeNumbers($0).flatMap { $0.allSatisfy { $0 > 0 } ? $0 : nil } }
    if let mean, let deviation { scaling = NetworkDescription.InputScaling(mean: mean, deviation: deviation) }
  }

  /// What a file of `description` says.
  static func fields(of description: NetworkDescription) -> [String: String] {
    func text(_ numbers: [Float]) -> String { numbers.map { "\($0)" }.joined(separator: " ") }
    return [
      "width": "\(description.widthMultiplier)", "input_size": "\(description.inputSize)",
      "padding": description.padding.rawValue, "mean": text(description.scaling.mean),
      "deviation": text(description.scaling.deviation),
    ]
  }

  private static func threeNumbers(_ text: String) -> [Float]? {
    let numbers = text.split(separator: " ").map { Float($0) }
    guard numbers.count == 3, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
    return numbers.compactMap { $0 }
  }
}
