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
  /// Whether a device computes it right.
  func selfTests(on device: DeviceDescription) -> SelfTestSuite {
    switch self {
    case .features: .features(on: device)
    case .sorting: .sorting(on: device.kind)
    case .search: .search(on: device.kind)
    }
  }
}
