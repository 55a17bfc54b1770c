import Synchronization

/// Counts the calls of the devices that were opened with it, and tells which of them fail.
public final class FaultInjector: Sendable {
  /// What happens.
  public let plan: FaultPlan
  private let counts: Mutex<[Int]>

  /// An injector for one run: its counts go over all devices and contexts.
  public init(_ plan: FaultPlan) {
    self.plan = plan
    counts = Mutex([Int](repeating: 0, count: plan.faults.count))
  }

  /// The kinds of faults that happen to a call.
  /// - Parameters:
  ///   - kinds: those that the call counts for.
  ///   - device: the id of its device.
  func faults(_ kinds: Set<FaultPlan.Kind>, on device: String) -> Set<FaultPlan.Kind> {
    counts.withLock { counts in
      var happening: Set<FaultPlan.Kind> = []
      for (index, fault) in plan.faults.enumerated()
      where kinds.contains(fault.kind) && (fault.device.isEmpty || device.contains(fault.device)) {
        counts[index] += 1
        if counts[index] == fault.number || (fault.isLasting && counts[index] > fault.number) {
          happening.insert(fault.kind)
        }
      }
      return happening
    }
  }

  /// Whether self-tests can turn out otherwise than the device's own.
  var touchesSelfTests: Bool { plan.faults.contains { $0.kind == .wrong || $0.kind == .selftest } }
}
