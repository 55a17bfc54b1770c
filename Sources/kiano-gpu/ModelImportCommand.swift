import Arguments
import Engine
import Features
import Imaging

extension NetworkDescription.Padding: ExpressibleByArgument {
  /// `symmetric`, or `same` as TensorFlow calls it.
  public init?(argument: [UInt8]) {
    switch String(decoding: argument, as: UTF8.self) {
    case "symmetric": self = .symmetric
    case "same": self = .tensorFlowSame
    default: return nil
    }
  }
}

/// The scaling of a network's input.
enum InputScalingName: String, CaseIterable, ExpressibleByArgument {
  case imagenet, signed, unit

  var scaling: NetworkDescription.InputScaling {
    switch self {
    case .imagenet: .imageNet
    case .signed: .signed
    case .unit: .unit
    }
  }
}

/// `model import`: installs a network.
struct ModelImportCommand: Verb {
  static let configuration = CommandConfiguration(
    name: "import", abstract: "Install a MobileNetV2 from a file of weights",
    discussion: """
      FILE is .safetensors, or .npz as numpy.savez and numpy.savez_compressed write it, with the tensors of a \
      MobileNetV2 of any width. Their names may be those of TensorFlow's slim checkpoints, of Keras' applications, of \
      torchvision, or of PyTorch networks whose blocks are one sequence. Batch norm is folded in. Every tensor that is \
      missing, has another shape, or belongs to no layer is named; classifiers are left out.

      Padding, scaling and the epsilon of batch norm are what the naming's framework has, TensorFlow's same, signed, 1e-3, \
      or PyTorch's symmetric, imagenet, 1e-5, unless you say otherwise.

      A network without a projection of its own learns one from each library, when its index is made. --fit-pca learns \
      it from some folders now, so that indexes of different libraries can be compared.

      An index remembers which network made its vectors, and refuses others: 'sort --model NAME --rebuild' computes them \
      anew.
      """,
    examples: [
      .init("kiano-gpu model import weights.npz --name wide", "Then: kiano-gpu sort ~/Pictures --model wide"),
      .init(
        "kiano-gpu model import w.safetensors --input-size 224 --fit-pca ~/Pictures", "Larger input, own projection."),
    ])

  @Argument("FILE", help: "A .safetensors or .npz file") var file: BytePath
  @Option(.long("name"), valueName: "NAME", help: "What it is called; the file's name where left out")
  var name: String?
  @Option(
    .long("width"), valueName: "X", help: "The width multiplier, where it can't be told from the shapes",
    isAdvanced: true)
  var width: Double?
  @Option(.long("input-size"), valueName: "N", help: "Side of the input in pixels; 96, 128, 160, 192 or 224")
  var inputSize: Int?
  @Option(
    .long("padding"), valueName: "PADDING", help: "Padding of 3x3 convolutions: symmetric, or same as in TensorFlow",
    isAdvanced: true)
  var padding: NetworkDescription.Padding?
  @Option(
    .long("scaling"), valueName: "SCALING",
    help: "The input: imagenet (its mean and deviation), signed (-1...1) or unit (0...1)", isAdvanced: true)
  var scaling: InputScalingName?
  @Option(.long("epsilon"), valueName: "X", help: "What batch norm adds to variances", isAdvanced: true) var epsilon:
    Double?
  @Option(
    .long("projection"), valueName: "FILE", help: "A .safetensors file with mean and components of a PCA",
    isAdvanced: true)
  var projection: BytePath?
  @Option(
    .long("fit-pca"), valueName: "FOLDER", help: "Learn the projection from pictures; may be repeated")
  var folders: [BytePath] = []
  @Flag(.long("ignore-extra"), help: "Pass over tensors that belong to no layer", isAdvanced: true) var ignoresExtra:
    Bool
  @Flag(.long("force"), help: "Replace a model of that name") var force: Bool
  @OptionGroup var compute = ComputeOptions()
  @OptionGroup var display = OutputOptions()

  func validate() throws(UsageError) {
    if let width, !(0.05...4).contains(width) { throw UsageError("--width takes a number from 0.05 to 4") }
    if let inputSize, !NetworkDescription.inputSizes.contains(inputSize) {
      throw UsageError("--input-size takes 96, 128, 160, 192 or 224")
    }
    if let epsilon, !(epsilon > 0 && epsilon < 1) { throw UsageError("--epsilon takes a number above 0, below 1") }
    if projection != nil, !folders.isEmpty { throw UsageError("--projection and --fit-pca exclude each other") }
    try compute.validate()
  }

  mutating func run() throws {
    var job = ImportModelJob(file: file)
    job.name = name
    job.reader.width = width
    job.reader.inputSize = inputSize
    job.reader.padding = padding
    job.reader.scaling = scaling?.scaling
    job.reader.epsilon = epsilon.map { Float($0) }
    job.reader.ignoresExtra = ignoresExtra
    job.projection = projection
    job.sampleRoots = folders
    job.ingestion.isolation = .ofThisProgram
    job.replaces = force
    let choice = try compute.choose(verbosity: display.verbosity)
    let shown = JobDisplay(display)
    defer { shown.clear() }
    let report = try job.run(on: choice, cancellation: Interruption.watch(), events: shown.events)
    shown.clear()
    if display.json { return try JSONDocument.print(Document(report)) }
    if !display.quiet {
      Console.note("\(report.naming.label) naming; \(report.model.summary)")
      if !report.ignored.isEmpty {
        Console.note("\(report.ignored.count) \(plural(report.ignored.count, "tensor")) of no layer left out")
      }
      if display.verbosity > 0 { report.ignored.forEach { Console.note("  \($0)") } }
    }
    Console.print(report.installed.displayName)
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    let schema = JSONDocument.schema
    let name: String
    let model: ModelDocument
    let naming: String
    let ignored: [String]

    init(_ report: ImportModelJob.Report) {
      name = report.model.name
      model = ModelDocument(report.model, file: report.installed)
      naming = report.naming.rawValue
      ignored = report.ignored
    }
  }
}
