/// What a device can compute in a job, each with kernels of its own.
public enum ComputeArea: String, Sendable, CaseIterable {
  /// The vectors of pictures.
  case features
  /// Arrangements, and their quality.
  case sorting
  /// Distances of vectors.
  case search
}
