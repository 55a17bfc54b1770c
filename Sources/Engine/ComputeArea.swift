import Compute
import Features
import Sorting

/// What a device can compute in a job, each with kernels of its own.
public enum ComputeArea: String, Sendable, CaseIterable {
  /// The vectors of pictures.
  case features
  /// Arrangements, and their quality.
  case sorting
  /// Distances of vectors.
  case search
}

extension ComputeArea {
  /// Whether a kind of device computes it right.
  func selfTests(on kind: DeviceDescription.Kind) -> SelfTestSuite {
    switch self {
    case .features: .features(on: kind)
    case .sorting: .sorting(on: kind)
    case .search: .search(on: kind)
    }
  }
}
