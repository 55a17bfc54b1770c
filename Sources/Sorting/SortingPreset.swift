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
  /// - Parameter dimensions: bytes of a vector. Few dimensions need larger groups, and no steps that look only at direct
  ///   neighbours.
  public init(_ preset: SortingPreset, dimensions: Int) {
    let isLow = dimensions <= 8
    switch preset {
    case .fast:
      (groupSize, decay) = (16, 0.9)
    case .balanced:
      (groupSize, decay, crossSteps) = (32, 0.91, isLow ? 0 : 5)
    case .best where isLow:
      (groupSize, decay) = (64, 0.97)
    case .best:
      (groupSize, passes, decay, crossSteps) = (32, 2, 0.96, 20)
    }
  }
}
