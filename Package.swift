// swift-tools-version: 6.1
import Foundation
import PackageDescription

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// One Swift module of the program, and the module that tests it.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings),
    .testTarget(
      name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies + ["TestSupport"],
      swiftSettings: swiftSettings),
  ]
}

/// Codecs that a build leaves out: `KIANO_WITHOUT=heif,tiff swift build`. Their libraries are not looked for then, and
/// `kiano-gpu formats` says what is missing.
let leftOut = Set((Context.environment["KIANO_WITHOUT"] ?? "").lowercased().split(separator: ",").map(String.init))

/// The codecs that can be left out: name, source file, and the target that wraps the library.
let optionalCodecs: [(name: String, file: String, target: Target)] = [
  ("webp", "WebPCodec.swift", .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])])),
  ("gif", "GIFCodec.swift", .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])])),
  ("tiff", "TIFFCodec.swift", .target(name: "CTIFF", linkerSettings: [.linkedLibrary("tiff")])),
  ("heif", "HEIFCodec.swift", .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"])])),
]
let codecTargets = optionalCodecs.filter { !leftOut.contains($0.name) }.map(\.target)

let imaging = module(
  "Imaging",
  ["CImaging", "CTurboJPEG", "CJPEG", "CPNG", "CLCMS", "CXXHash"] + codecTargets.map { .target(name: $0.name) })
for codec in optionalCodecs where leftOut.contains(codec.name) {
  imaging[0].exclude.append(codec.file)
  imaging[0].swiftSettings!.append(.define("WITHOUT_\(codec.name.uppercased())"))
}

/// Parsers written by hand, which a test damages inputs of; `KIANO_FUZZ=1` makes a program for libFuzzer of them
/// instead: see scripts/fuzz.
let parserTarget: Target =
  Context.environment["KIANO_FUZZ"] == nil
  ? .testTarget(
    name: "ParserTests", dependencies: ["Imaging", "Library", "Features"], exclude: ["Fuzz.swift"],
    swiftSettings: swiftSettings)
  : .executableTarget(
    name: "fuzz", dependencies: ["Imaging", "Library", "Features"], path: "Tests/ParserTests",
    exclude: ["MutationTests.swift"], swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])])

/// The OpenCL sources, which `kernels.c` embeds; SwiftPM wants to be told of files that it doesn't build.
let kernelSources = try! FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/kernels")
  .filter { $0.hasSuffix(".cl") }

/// The files of a map's page, which `viewer.c` embeds.
let viewerFiles = try! FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/Sources/Viewer")
  .filter { $0 != "viewer.c" && $0 != "include" }

let package = Package(
  name: "kiano-gpu",
  products: [.executable(name: "kiano-gpu", targets: ["kiano-gpu"])],
  targets: [
    // C libraries, one module map or shim each.
    .target(name: "COpenCL"),
    .target(name: "CFileSystem"),
    .target(name: "CImaging"),
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
    .systemLibrary(name: "CLCMS", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    // Data embedded in the program.
    .target(name: "Kernels", path: "kernels", exclude: kernelSources, sources: ["kernels.c"]),
    .target(
      name: "Weights", exclude: ["mobilenet_v2_0.5_128.safetensors", "pca64.safetensors"],
      sources: ["weights.c"]),
    .target(name: "Viewer", exclude: viewerFiles, sources: ["viewer.c"]),

    .target(name: "TestSupport", dependencies: ["Compute"], path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .executableTarget(
      name: "kiano-gpu",
      dependencies: ["Engine", "Arguments", "Atlas", "Compute", "Features", "Imaging", "Library", "Sorting"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "ingestion-benchmark",
      dependencies: ["Library", "Features", "Imaging", "Compute", "CTurboJPEG"],
      path: "benchmarks/ingestion",
      exclude: ["run"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "features-benchmark", dependencies: ["Features", "Imaging", "Compute"], path: "benchmarks/features",
      exclude: ["run", "designs", "onnx_model.py"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "drawing-benchmark", dependencies: ["Atlas", "Sorting", "Imaging"], path: "benchmarks/drawing",
      exclude: ["run"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "library-benchmark", dependencies: ["Library", "Features", "Imaging"], path: "benchmarks/library",
      exclude: ["run"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "search-benchmark", dependencies: ["Library", "Features", "Imaging", "Compute"], path: "benchmarks/search",
      exclude: ["run"], swiftSettings: swiftSettings),
    // Apart, since it puts itself before the system's memory allocator.
    .executableTarget(
      name: "allocation-count", dependencies: ["Library", "Imaging", "CAllocations"], path: "benchmarks/allocations",
      exclude: ["counter"], swiftSettings: swiftSettings),
    .target(name: "CAllocations", path: "benchmarks/allocations/counter"),
    parserTarget,
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["kiano-gpu", "Arguments", "Features", "Imaging", "Library", "Sorting", "TestSupport"],
      swiftSettings: swiftSettings),
  ]
    // Floor 1
    + codecTargets + imaging
    + module("Compute", ["COpenCL", "Kernels"])
    // Floor 2
    + module("Features", ["Compute", "Weights", "CZlib"])
    + module("Sorting", ["Compute"])
    // Floor 3
    + module("Library", ["Features", "Imaging", "CSQLite"])
    + module("Atlas", ["Features", "Imaging", "Sorting", "Viewer", "CFileSystem"])
    // Floor 4
    + module("Engine", ["Atlas", "Library", "Features", "Sorting", "Imaging", "Compute"])
    // Knows nothing of the rest.
    + module("Arguments", []),
  cLanguageStandard: .gnu17
)
