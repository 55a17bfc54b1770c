import Features
import Imaging
import Library

/// Reads a network from a file of weights, checks it, and installs it under a name.
public struct ImportModelJob {
  /// A .safetensors or .npz file.
  public var file: BytePath
  /// The name; nil for the file's.
  public var name: String?
  /// What isn't to be taken from the file.
  public var reader = ModelImport()
  /// A .safetensors file with the projection that belongs to the network.
  public var projection: BytePath?
  /// Folders of pictures to learn the projection from.
  public var sampleRoots: [BytePath] = []
  /// How those are decoded.
  public var ingestion = IngestionSettings()
  /// Whether a model of that name may be replaced.
  public var replaces = false
  /// Where it is installed.
  public var store = ModelStore()

  /// A job for a file.
  public init(file: BytePath) {
    self.file = file
  }

  /// What was installed.
  public struct Report: Sendable {
    /// The model.
    public let model: NetworkModel
    /// Its file in the store.
    public let installed: BytePath
    /// How the file that was read names tensors.
    public let naming: TensorNaming
    /// Tensors that were passed over.
    public let ignored: [String]
  }

  /// Imports.
  /// - Throws: `EngineError` which names the file, and each tensor that is missing, of another shape, or belongs to no
  ///   layer.
  public func run(
    on compute: ComputeChoice, cancellation: Cancellation, events: JobEvents
  ) throws(EngineError) -> Report {
    let name = name ?? nameOfFile
    guard ModelStore.isName(name) else {
      throw EngineError(
        .usage, "a model can't be called '\(name)': give it a --name of letters, digits, and . _ - within, up to 64")
    }
    if name == NetworkModel.kianoName {
      throw EngineError(.usage, "'\(name)' is the model that the program carries; choose another --name")
    }
    let result = try ModelFile(file).network(reader)
    var basis = result.projection
    if let projection {
      basis = try ModelFile(projection).projection(inputCount: result.weights.description.outputCount)
    }
    if !sampleRoots.isEmpty { basis = try learn(result.weights, compute, cancellation, events) }
    let bytes = NetworkModel.encoded(result.weights, projection: basis)
    let installed = try store.install(bytes, as: name, replaces: replaces)
    return Report(
      model: try store.model(named: name), installed: installed, naming: result.naming, ignored: result.ignored)
  }

  private var nameOfFile: String {
    let name = String(decoding: file.lastComponent, as: UTF8.self)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  private func learn(
    _ weights: NetworkWeights, _ compute: ComputeChoice, _ cancellation: Cancellation, _ events: JobEvents
  ) throws(EngineError) -> Projection? {
    let files = try ingestion.scan.files(in: sampleRoots, cancellation, events)
    do {
      let learner = ProjectionLearner(
        model: NetworkModel(name: "", weights: weights), ingestion: ingestion, compute: compute,
        cancellation: cancellation, events: events)
      guard let projection = try learner.learn(files, isAsked: true) else {
        let names = sampleRoots.map(\.displayName).joined(separator: ", ")
        throw EngineError(.nothingUsable, "there is no picture in \(names) to learn a projection from")
      }
      return projection
    } catch {
      if cancellation.isRequested { throw .cancelled }
      throw EngineError(any: error)
    }
  }
}

/// What a model verb tells about a model.
public struct ModelSummary: Sendable {
  /// Its name.
  public let name: String
  /// Its file; nil for the built-in one.
  public let file: BytePath?
  /// The model.
  public let model: NetworkModel

  /// A model that is installed, or in a file that could be imported.
  /// - Parameter name: its name, or a file's path.
  public init(_ name: String, store: ModelStore = ModelStore()) throws(EngineError) {
    if ModelStore.isName(name), let entry = store.entries().first(where: { $0.name == name }) {
      self.init(name: name, file: entry.file, model: try entry.model.get())
    } else if name.contains("/") || name.contains("."), BytePath(name).resolved() != nil {
      let result = try ModelFile(BytePath(name)).network(ModelImport())
      let model = NetworkModel(name: "", weights: result.weights, projection: result.projection)
      self.init(name: name, file: BytePath(name), model: model)
    } else {
      self.init(name: name, file: nil, model: try store.model(named: name))
    }
  }

  private init(name: String, file: BytePath?, model: NetworkModel) {
    (self.name, self.file, self.model) = (name, file, model)
  }
}
