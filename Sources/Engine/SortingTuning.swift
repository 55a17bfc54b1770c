import Sorting

/// A preset, and what is to be different from it: settings depend on the vectors' dimensions, which a person doesn't know
/// beforehand.
public struct SortingTuning: Sendable, Equatable {
  /// What everything else comes from.
  public var preset = SortingPreset.balanced
  /// Chooses the random numbers.
  public var seed: UInt64 = 0
  /// Cells that swap at once, if not the preset's.
  public var groupSize: Int?
  /// Swaps for each filtering, if not the preset's.
  public var passes: Int?
  /// The factor on the filter's radius, if not the preset's.
  public var decay: Double?
  /// Steps with the cross at the end, if not the preset's.
  public var crossSteps: Int?

  /// The default preset.
  public init() {}

  /// The settings for vectors of so many bytes.
  public func settings(dimensions: Int) -> SortingSettings {
    var settings = SortingSettings(preset, dimensions: dimensions)
    settings.seed = seed
    settings.groupSize = groupSize ?? settings.groupSize
    settings.passes = passes ?? settings.passes
    settings.decay = decay ?? settings.decay
    settings.crossSteps = crossSteps ?? settings.crossSteps
    return settings
  }
}
