import Compute
import Features
import Sorting

/// What is measured: a device, or plain Swift.
struct BenchTarget {
  /// The device; nil for plain Swift.
  let device: Device?

  var id: String { device?.description.id ?? "none" }
  var driver: String { device?.description.driver ?? "" }

  func name(threads: Int) -> String {
    device?.description.name ?? "plain Swift, \(threads) \(threads == 1 ? "thread" : "threads")"
  }

  /// - Parameters:
  ///   - selection: nil for all there are, and plain Swift.
  ///   - faults: what fails, in tests.
  static func targets(
    _ selection: DeviceSelection?, probe: DriverProbe, faults: FaultPlan?, note: (String) -> Void
  ) throws(EngineError) -> [BenchTarget] {
    if selection == DeviceSelection.none { return [BenchTarget(device: nil)] }
    let injector = faults.map(FaultInjector.init)
    do throws(ComputeError) {
      let runtime = try OpenCLRuntime.load(probe).0.get()
      guard let selection else {
        var targets: [BenchTarget] = []
        for description in DeviceSelection.byPreference(runtime.devices) {
          do throws(ComputeError) {
            targets.append(BenchTarget(device: try runtime.makeDevice(description, injector: injector)))
          } catch {
            note("\(description.name) is passed over: \(error)")
          }
        }
        return targets + [BenchTarget(device: nil)]
      }
      let chosen = try selection.choose(among: runtime.devices).chosen
      if chosen.isEmpty { return [BenchTarget(device: nil)] }
      var targets: [BenchTarget] = []
      for description in chosen {
        targets.append(BenchTarget(device: try runtime.makeDevice(description, injector: injector)))
      }
      return targets
    } catch {
      if selection?.allowsPlainSwift == false { throw EngineError(.device, "\(error)") }
      note("only plain Swift is measured: \(error)")
      return [BenchTarget(device: nil)]
    }
  }

  /// What it can do at best.
  func peaks(threads: Int, isQuick: Bool) throws -> [BenchmarkOperation] {
    let bytes = isQuick ? 128 << 20 : 512 << 20
    if let device { return try DevicePeak(device: device, bytes: bytes).operations() }
    return PlainPeak(threads: threads, bytes: bytes).operations()
  }

  /// The operations by part, each part made only when it is its turn, since it takes memory.
  func operations(
    _ model: ContentModel, threads: Int, isQuick: Bool, stages: [BenchJob.Stage]
  ) -> [() throws -> [BenchmarkOperation]] {
    let (device, sorting) = (device, SortingOperations(device: device, threads: threads))
    func isWanted(_ some: BenchJob.Stage...) -> Bool { some.contains { stages.contains($0) } }
    var parts: [() throws -> [BenchmarkOperation]] = []
    if isWanted(.network, .layer, .projection, .appearance) {
      parts.append {
        if let device { return try DeviceFeatureOperations(model: model, device: device).operations() }
        return PlainFeatureOperations(model: model, threads: threads).operations()
      }
    }
    if isWanted(.filter, .assignment) { parts.append { try sorting.kernels(side: isQuick ? 128 : 256) } }
    if isWanted(.sort) {
      for side in isQuick ? [32, 64, 128] : [32, 64, 128, 256] { parts.append { [try sorting.sort(side: side)] } }
    }
    if isWanted(.search) {
      parts.append {
        try SearchOperations(count: isQuick ? 1 << 17 : 1 << 20, device: device, threads: threads).operations()
      }
    }
    return parts
  }
}

/// What is measured of searching: one query, and many, in a library of pictures.
private struct SearchOperations {
  private let vectors: FeatureVectors
  private let search: any VectorSearch

  init(count: Int, device: Device?, threads: Int) throws {
    var state: UInt64 = 3
    let bytes = (0..<count * FeatureVectors.byteCount).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    let content = count * Projection.outputCount
    vectors = FeatureVectors(content: Array(bytes[..<content]), appearance: Array(bytes[content...]))
    if let device {
      search = try OpenCLVectorSearch(vectors, device: device)
    } else {
      search = SwiftVectorSearch(vectors, threads: threads)
    }
  }

  func operations() -> [BenchmarkOperation] {
    let similarity = Similarity(contentWeight: 0.5, scale: .ofPhotos)
    return [1, 100].map { queries in
      let wanted = FeatureVectors(
        content: Array(vectors.content.prefix(queries * Projection.outputCount)),
        appearance: Array(vectors.appearance.prefix(queries * AppearanceVector.count)))
      let bytes = Double(vectors.count * FeatureVectors.byteCount)
      return BenchmarkOperation(
        stage: "search", detail: "\(queries) in \(vectors.count)", unit: "queries", items: queries,
        bytes: queries == 1 ? bytes : 0, isRepeatable: false,
        run: { [search] in _ = try search.nearest(20, to: wanted, by: similarity) })
    }
  }
}
