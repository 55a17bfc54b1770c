import Foundation
import Testing

@testable import Features

/// Tensors by name.
struct NamedSource: TensorSource {
  var tensors: [String: Tensor]
  var names: [String] { tensors.keys.sorted() }
  func shape(_ name: String) -> [Int]? { tensors[name]?.shape }
  func tensor(_ name: String) throws -> Tensor {
    guard let tensor = tensors[name] else { throw ModelFileError.missing(name) }
    return tensor
  }
}

extension NetworkWeights {
  /// A file of these weights under a naming, with batch norms that change nothing but for `epsilon`.
  func source(_ naming: TensorNaming, prefix: String = "", epsilon: Float = 0) -> NamedSource {
    var tensors: [String: Tensor] = [:]
    for (layer, packed) in zip(description.layers, layers) {
      let names = naming.names(of: layer)
      func vector(_ name: String, _ value: (Int) -> Float) {
        tensors[prefix + name] = Tensor(shape: [layer.outputs], values: (0..<layer.outputs).map(value))
      }
      let (matrix, bias) = (packed.matrix(of: layer), packed.biases(of: layer))
      tensors[prefix + names.weight] = Tensor(
        shape: layer.shape(heightFirst: naming.isHeightFirst),
        values: naming.isHeightFirst ? matrix : layer.outputsFirst(matrix))
      if let name = names.bias { vector(name) { bias[$0] } }
      if let norm = names.norm {
        vector(norm.gamma) { _ in 2 * (3 + epsilon).squareRoot() }
        vector(norm.beta) { bias[$0] + 2 }
        vector(norm.mean) { _ in 1 }
        vector(norm.variance) { _ in 3 }
      }
    }
    return NamedSource(tensors: tensors)
  }
}

struct ModelImportTests {
  private static let narrow = NetworkDescription(
    widthMultiplier: 0.35, inputSize: 96, padding: .symmetric, scaling: .imageNet)

  @Test(arguments: TensorNaming.allCases, ["", "module.net."])
  func everyNamingIsRead(naming: TensorNaming, prefix: String) throws {
    let weights = NetworkWeights.random(Self.narrow)
    let epsilon: Float = naming.isHeightFirst ? 1e-3 : 1e-5
    let result = try ModelImport().read(weights.source(naming, prefix: prefix, epsilon: epsilon))
    #expect(result.naming == naming)
    #expect(result.weights.description.widthMultiplier == 0.35)
    #expect(result.weights.description.padding == (naming.isHeightFirst ? .tensorFlowSame : .symmetric))
    #expect(result.weights.description.scaling == (naming.isHeightFirst ? .signed : .imageNet))
    let normed: Float = naming == .folded ? 1 : 2
    for (layer, (found, expected)) in zip(result.weights.description.layers, zip(result.weights.layers, weights.layers))
    {
      for (a, b) in zip(found.matrix(of: layer), expected.matrix(of: layer)) { #expect(abs(a - normed * b) < 1e-5) }
      // beta - mean * scale, with a scale of two.
      for (a, b) in zip(found.biases(of: layer), expected.biases(of: layer)) { #expect(abs(a - b) < 1e-5) }
    }
  }

  @Test func slashesAndEndingsOfTensorFlowAreRead() throws {
    let plain = NetworkWeights.random(Self.narrow).source(.tensorFlow)
    let source = NamedSource(
      tensors: Dictionary(
        uniqueKeysWithValues: plain.tensors.map { ($0.key.replacing(".", with: "/") + ":0", $0.value) }))
    #expect(try ModelImport().read(source).naming == .tensorFlow)
  }

  @Test func lastLayerOutsideTheFeaturesIsRead() throws {
    let plain = NetworkWeights.random(Self.narrow).source(.sequential)
    let source = NamedSource(
      tensors: Dictionary(
        uniqueKeysWithValues: plain.tensors.map { ($0.key.replacing("features.18.", with: "conv."), $0.value) }))
    #expect(try ModelImport().read(source).naming == .sequential)
  }

  @Test(arguments: [0.1, 0.25, 0.35, 0.5, 0.75, 1.0, 1.3, 1.4])
  func widthIsToldFromTheShapes(width: Double) throws {
    let description = NetworkDescription(
      widthMultiplier: width, inputSize: 128, padding: .symmetric, scaling: .imageNet)
    // Zeros do, and take less time.
    let weights = NetworkWeights(description: description) {
      ([Float](repeating: 0, count: $0.taps * $0.outputs), [Float](repeating: 0, count: $0.outputs))
    }
    #expect(try ModelImport().read(weights.source(.folded)).weights.description == description)
  }

  @Test func everyTensorThatIsWrongIsNamed() throws {
    var source = NetworkWeights.random(Self.narrow).source(.torchvision, prefix: "net.")
    source.tensors["net.features.0.0.weight"] = nil
    source.tensors["net.features.3.conv.1.1.running_var"] = Tensor(shape: [2], values: [1, 2])
    source.tensors["net.features.19.weight"] = Tensor(shape: [1], values: [1])
    source.tensors["net.classifier.1.weight"] = Tensor(shape: [1], values: [1])
    let outputs = Self.narrow.layers.first { $0.name == "blocks.02.depthwise" }!.outputs
    #expect(
      throws: ImportError.mismatch(
        naming: .torchvision, width: 0.35,
        problems: [
          .missing("features.0.0.weight"),
          .wrongShape("net.features.3.conv.1.1.running_var", found: [2], expected: [outputs]),
        ], extra: ["net.features.19.weight"])
    ) { try ModelImport().read(source) }
    source.tensors["net.features.0.0.weight"] = Tensor(shape: [8, 3, 3], values: [Float](repeating: 0, count: 72))
    source.tensors["net.features.2.conv.2.weight"] = nil
    #expect(
      throws: ImportError.mismatch(
        naming: .torchvision, width: 0.35,
        problems: [
          .wrongShape("net.features.0.0.weight", found: [8, 3, 3], expected: [16, 3, 3, 3]),
          .missing("features.2.conv.2.weight"),
          .wrongShape("net.features.3.conv.1.1.running_var", found: [2], expected: [outputs]),
        ], extra: ["net.features.19.weight"])
    ) { try ModelImport().read(source) }
  }

  @Test func extraTensorsArePassedOverOnRequest() throws {
    var source = NetworkWeights.random(Self.narrow).source(.folded)
    source.tensors["head.weight"] = Tensor(shape: [1], values: [1])
    var reader = ModelImport()
    reader.ignoresExtra = true
    #expect(try reader.read(source).ignored == ["head.weight"])
  }

  @Test func anotherNetworkIsNone() {
    let some = Tensor(shape: [1], values: [1])
    let source = NamedSource(tensors: ["features.1.conv.1.weight": some, "layer1.0.conv1.weight": some])
    #expect(throws: ImportError.unknownNaming) { try ModelImport().read(source) }
  }

  @Test(arguments: [Float.infinity, -.infinity, .nan])
  func numbersThatAreNotFiniteAreRefused(_ value: Float) throws {
    let whole = NetworkWeights.random(Self.narrow).source(.torchvision)
    for name in ["features.0.0.weight", "features.18.1.running_var", "features.2.conv.0.1.bias"] {
      var source = whole
      let shape = try #require(source.shape(name))
      var values = try source.tensor(name).values
      values[values.count / 2] = value
      source.tensors[name] = Tensor(shape: shape, values: values)
      #expect(throws: ModelFileError.notFinite(name)) { try ModelImport().read(source) }
    }
    var negative = whole
    let shape = try #require(negative.shape("features.18.1.running_var"))
    negative.tensors["features.18.1.running_var"] = Tensor(
      shape: shape, values: [Float](repeating: -1, count: shape[0]))
    #expect(throws: ImportError.self) { try ModelImport().read(negative) }
    var basis = NamedSource(tensors: [
      "mean": Tensor(shape: [2], values: [0, 0]),
      "components": Tensor(shape: [64, 2], values: [Float](repeating: 1, count: 128)),
    ])
    basis.tensors["mean"] = Tensor(shape: [2], values: [0, value])
    #expect(throws: ModelFileError.notFinite("mean")) { try Projection(basis, inputCount: 2) }
  }

  @Test func weightsThatGiveNothingAreRefused() throws {
    let broken = NetworkWeights(description: Self.narrow) { layer in
      (
        [Float](repeating: layer.name == "last" ? .nan : 0.1, count: layer.taps * layer.outputs),
        [Float](repeating: 0, count: layer.outputs)
      )
    }
    #expect(throws: ImportError.self) { try broken.check() }
    try NetworkWeights.random(Self.narrow).check()
  }

  @Test func aModelsFileGivesTheModelBack() throws {
    let description = NetworkDescription(
      widthMultiplier: 0.35, inputSize: 160, padding: .tensorFlowSame, scaling: .unit)
    let weights = NetworkWeights.random(description)
    let projection = Projection(keepingFirstOf: description.outputCount)
    let file = NetworkModel.encoded(weights, projection: projection)
    let model = try NetworkModel(name: "m", file: file)
    #expect(model.weights == weights && model.projection == projection)
    #expect(model.identity.hasPrefix("m/"))
    let other = try NetworkModel(name: "m", file: NetworkModel.encoded(weights, projection: nil))
    #expect(other.identity != model.identity && other.projection == nil && other.contentModel() == nil)
    #expect(throws: ImportError.self) {
      try ModelImport().read(Safetensors(parsing: file), metadata: ["input_size": "100"])
    }
  }

  @Test func builtInModelIsTheSameInItsFile() throws {
    let file = NetworkModel.encoded(NetworkModel.kiano.weights, projection: NetworkModel.kiano.projection)
    #expect(try NetworkModel(name: "k", file: file).weights == NetworkModel.kiano.weights)
  }

  /// Two arrays as `numpy.savez_compressed` writes them: 0...599 modulo 7 of [20, 30] as a, and 0, 1, 2 as b.
  private static let compressed = Data(
    base64Encoded: """
      UEsDBC0AAAAIAAAAIQBzQqfX//////////8FABQAYS5ucHkBABAA4AkAAAAAAABuAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TZqKu\
      o6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkYGOgrGBpo6CrUKZAIuBjBosAcSDkAExA1AvACIDziMyo3KjcqNyo3KjcqNyo3KjcqR\
      LgcAUEsDBC0AAAAIAAAAIQBI6mbs//////////8FABQAYi5ucHkBABAAgwAAAAAAAABHAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loF5T\
      aqiuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GsY6mjoKtQoUAC4GRiYAUEsBAi0DLQAAAAgAAAAhAHNCp9duAAAA4AkAAAUAAAAA\
      AAAAAAAAAIABAAAAAGEubnB5UEsBAi0DLQAAAAgAAAAhAEjqZuxHAAAAgwAAAAUAAAAAAAAAAAAAAIABpQAAAGIubnB5UEsFBgAAAAACAAIA\
      ZgAAACMBAAAAAA==
      """)!

  @Test func deflatedArchivesAreRead() throws {
    let archive = try NPZArchive(parsing: [UInt8](Self.compressed))
    #expect(archive.names == ["a", "b"])
    #expect(archive["a"]?.floats == (0..<600).map { Float($0 % 7) })
    #expect(archive.shape("a") == [20, 30])
    #expect(archive["b"]?.integers == [0, 1, 2])
  }

  @Test func damagedMembersAreNoticed() throws {
    let whole = [UInt8](Self.compressed)
    for place in stride(from: 60, to: 160, by: 7) {
      var bytes = whole
      bytes[place] ^= 0x10
      #expect(throws: ModelFileError.self, "byte \(place)") { try NPZArchive(parsing: bytes) }
    }
  }
}

struct RetrievalQualityTests {
  @Test func figuresAreTheTextbooks() throws {
    // On a line: a at 0, b at 1, a at 3, a at 7. Of b there is one, so it is no query.
    let quality = try #require(
      RetrievalQuality(bytes: [0, 1, 3, 7], dimensions: 1, classes: [0, 1, 0, 0], threads: 2))
    // Rankings: of 0: b a a; of 3: b a a; of 7: a b a.
    #expect(quality.precisionAt1 == 1.0 / 3)
    #expect(abs(quality.precisionAt10 - 0.5) < 1e-12)
    let poor = (1.0 / 2 + 2.0 / 3) / 2
    #expect(abs(quality.meanAveragePrecision - (2 * poor + (1 + 2.0 / 3) / 2) / 3) < 1e-12)
  }

  @Test func cosineDoesNotLookAtLength() throws {
    let quality = try #require(
      RetrievalQuality(floats: [1, 0, 9, 0, 0, 2, 0, 5], dimensions: 2, classes: [0, 0, 1, 1], threads: 1))
    #expect(quality.meanAveragePrecision == 1 && quality.precisionAt1 == 1 && quality.precisionAt10 == 1)
  }

  @Test func nothingToCompareGivesNothing() {
    #expect(RetrievalQuality(bytes: [1, 2, 3], dimensions: 1, classes: [0, 1, 2], threads: 1) == nil)
    #expect(RetrievalQuality(bytes: [], dimensions: 1, classes: [], threads: 1) == nil)
  }

  @Test func threadsChangeNothing() {
    let vectors = noise(300 * 8, seed: 4)
    let classes = (0..<300).map { $0 % 7 }
    let one = RetrievalQuality(bytes: vectors, dimensions: 8, classes: classes, threads: 1)
    #expect(RetrievalQuality(bytes: vectors, dimensions: 8, classes: classes, threads: 3) == one)
  }
}
