import Arguments
import Engine
import Features
import Foundation
import Imaging

/// `model`: the networks that compute vectors.
struct Model: Command {
  static let configuration = CommandConfiguration(
    name: "model", abstract: "List, look at and install the networks that compute vectors",
    subcommands: [ModelList.self, ModelInfo.self, ModelImportCommand.self])

  mutating func run() {}
}

/// `model list`: the built-in network and those that are installed.
struct ModelList: Verb {
  static let configuration = CommandConfiguration(
    name: "list", abstract: "List the networks that can be chosen",
    discussion:
      "'--model NAME' chooses one, for 'sort', 'index' and others. Installed networks lie in ~/.local/share/kiano-gpu/models, or $XDG_DATA_HOME/kiano-gpu/models."
  )

  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    let entries = ModelStore().entries()
    if display.json { return try JSONDocument.print(Document(models: entries.map(Document.Entry.init))) }
    let width = entries.map(\.name.count).max() ?? 0
    for entry in entries {
      let name = entry.name.padding(toLength: width, withPad: " ", startingAt: 0)
      switch entry.model {
      case .success(let model): Console.print("\(name)  \(model.summary)")
      case .failure(let error): Console.print("\(name)  can't be used: \(error.description)")
      }
    }
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Entry: Encodable {
      let name: String
      let model: ModelDocument?
      let problem: String?

      init(_ entry: ModelStore.Entry) {
        name = entry.name
        switch entry.model {
        case .success(let model): (self.model, problem) = (ModelDocument(model, file: entry.file), nil)
        case .failure(let error): (model, problem) = (nil, error.description)
        }
      }
    }
    let schema = JSONDocument.schema
    let models: [Entry]
  }
}

/// `model info`: what a network is made of.
struct ModelInfo: Verb {
  static let configuration = CommandConfiguration(
    name: "info", abstract: "Tell what a network, or a file of weights, is made of",
    examples: [
      .init("kiano-gpu model info kiano", "Tells about the network that the program carries."),
      .init("kiano-gpu model info weights.npz", "Tells whether a file could be imported, and as what."),
    ])

  @Argument("NAME|FILE", help: "A network; or a .safetensors or .npz file") var name: BytePath
  @OptionGroup var display = OutputOptions()

  mutating func run() throws {
    let summary = try ModelSummary(String(decoding: name.bytes, as: UTF8.self))
    let document = ModelDocument(summary.model, file: summary.file)
    if display.json { return try JSONDocument.print(Document(name: summary.name, model: document)) }
    Console.print(summary.name)
    for (label, value) in document.facts {
      Console.print("  \(label.padding(toLength: 13, withPad: " ", startingAt: 0))\(value)")
    }
    guard display.verbosity > 0 else { return }
    for layer in summary.model.description.layers {
      let sides =
        "\(layer.inputSize)x\(layer.inputSize)x\(layer.inputs) -> "
        + "\(layer.outputSize)x\(layer.outputSize)x\(layer.outputs)"
      Console.print(
        "  \(layer.name.padding(toLength: 20, withPad: " ", startingAt: 0))\(sides)  "
          + String(format: "%.2f million multiply-adds", Double(layer.multiplyAdds) / 1e6))
    }
  }

  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let name: String
    let model: ModelDocument
  }
}

/// A network in JSON documents.
struct ModelDocument: Encodable {
  let identity: String
  let file: String?
  let fileBase64: String?
  let width: Double
  let inputSize: Int
  let padding: String
  let mean: [Float]
  let deviation: [Float]
  let outputs: Int
  let multiplyAdds: Int
  let hasProjection: Bool

  init(_ model: NetworkModel, file: BytePath?) {
    let description = model.description
    identity = model.identity
    self.file = file?.displayName
    fileBase64 = file.flatMap { $0.isUTF8 ? nil : $0.base64 }
    width = description.widthMultiplier
    inputSize = description.inputSize
    padding = description.padding.rawValue
    (mean, deviation) = (description.scaling.mean, description.scaling.deviation)
    outputs = description.outputCount
    multiplyAdds = description.multiplyAdds
    hasProjection = model.projection != nil
  }

  var facts: [(String, String)] {
    func text(_ values: [Float]) -> String { values.map { "\($0)" }.joined(separator: " ") }
    return [
      ("network", "MobileNetV2 of width \(width)"), ("input", "\(inputSize)x\(inputSize) pixels"),
      ("scaling", "(RGB of 0...1 - \(text(mean))) / \(text(deviation))"), ("padding", padding),
      ("descriptor", "\(outputs) values"),
      ("work", String(format: "%.1f million multiply-adds a picture", Double(multiplyAdds) / 1e6)),
      ("projection", hasProjection ? "its own" : "none: each library learns one"),
      ("file", file ?? "part of the program"),
    ] + (identity.isEmpty ? [] : [("identity", identity)])
  }
}

extension NetworkModel {
  /// In a line.
  var summary: String {
    "MobileNetV2 of width \(description.widthMultiplier), \(description.inputSize) pixels, \(description.outputCount) values"
      + (projection == nil ? ", no projection: each library learns one" : "")
  }
}
