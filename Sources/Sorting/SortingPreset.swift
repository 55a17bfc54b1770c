/// How much time a sort takes for how good a map; `benchmarks/results` has the figures behind the numbers.
public enum SortingPreset: String, Sendable, CaseIterable {
  /// About half the time of `balanced`.
  case fast
  /// The default.
  case balanced
  /// Several times the time of `balanced`, for maps that are looked at for long.
  case best
}

extension SortingSettings {
  /// The settings of a preset.
  /// - Parameter dimensions: bytes of a vector. Where they are few, steps that look only at direct neighbours gain nothing.
  public init(_ preset: SortingPreset, dimensions: Int) {
    let isLow = dimensions <= 8
    switch preset {
    case .fast: (groupSize, decay) = (16, 0.9)
    case .balanced: (groupSize, decay, crossSteps) = (32, 0.93, isLow ? 0 : 6)
    case .best: (groupSize, decay, crossSteps) = (64, 0.97, isLow ? 0 : 20)
    }
  }
}
