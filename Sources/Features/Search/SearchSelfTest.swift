import Compute

extension SelfTestSuite {
  /// Whether a kind of device finds the nearest vectors.
  public static func search(on kind: DeviceDescription.Kind) -> SelfTestSuite {
    let form = OpenCLVectorSearch.Form.standard(for: kind)
    return SelfTestSuite(
      "search", variant: "\(form)", [SelfTest(form.lanes > 0 ? "search_lanes" : "search") { try searchIsRight($0) }])
  }

  private static func searchIsRight(_ device: Device) throws -> Bool {
    var random = SelfTestNumbers(seed: 9)
    func vectors(_ count: Int) -> FeatureVectors {
      FeatureVectors(
        content: (0..<count * Projection.outputCount).map { _ in random.byte() },
        appearance: (0..<count * AppearanceVector.count).map { _ in random.byte() })
    }
    let (library, one, many) = (vectors(333), vectors(1), vectors(9))
    let similarity = Similarity(contentWeight: 0.3, scale: .ofPhotos)
    let (found, expected) = (
      try OpenCLVectorSearch(library, device: device, reduction: 4), SwiftVectorSearch(library, threads: 1)
    )
    for queries in [one, many] {
      if try found.nearest(7, to: queries, by: similarity) != expected.nearest(7, to: queries, by: similarity) {
        return false
      }
    }
    return true
  }
}
