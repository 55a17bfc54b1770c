/// Which calls of a device fail, and how: what hardware does rarely, for tests.
///
/// Written as `FAULT:NUMBER` with commas between, such as `allocation:2,enqueue:7`. NUMBER counts from 1. A `+` behind it
/// means that call and all later ones; `@PART` behind that, only on devices whose id has that part.
public struct FaultPlan: Sendable, Equatable {
  /// What fails.
  public enum Kind: String, Sendable, CaseIterable {
    /// A context can't be made.
    case context
    /// There is no memory for a buffer.
    case allocation
    /// There turns out to be no memory when a kernel is launched.
    case enqueue
    /// There turns out to be none when its end is waited for.
    case finish
    /// A copy to or from the device fails.
    case transfer
    /// A program doesn't build.
    case build
    /// Whatever is called, the context is lost with it.
    case lost
    /// A kernel doesn't end in time.
    case slow
    /// A kernel, the NUMBER-th that the self-test makes, computes wrong values.
    case wrong
    /// A self-test can't be run.
    case selftest
  }

  /// One fault.
  public struct Fault: Sendable, Equatable {
    /// What fails.
    public let kind: Kind
    /// Which call, from 1.
    public let number: Int
    /// Whether all later calls fail too.
    public let isLasting: Bool
    /// A part of the ids of the devices that it happens on; empty for all.
    public let device: String

    /// A fault.
    public init(_ kind: Kind, _ number: Int, isLasting: Bool = false, device: String = "") {
      (self.kind, self.number, self.isLasting, self.device) = (kind, number, isLasting, device)
    }
  }

  /// The faults.
  public var faults: [Fault]

  /// Some faults.
  public init(_ faults: [Fault]) {
    self.faults = faults
  }

  /// Understands the words above; nil where one makes no sense.
  public init?(parsing text: String) {
    faults = []
    for word in text.split(separator: ",") {
      let parts = word.split(separator: "@", maxSplits: 1)
      let halves = parts[0].split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let kind = Kind(rawValue: String(halves[0])) else { return nil }
      let isLasting = halves[1].hasSuffix("+")
      guard let number = Int(isLasting ? halves[1].dropLast() : halves[1]), number > 0 else { return nil }
      faults.append(Fault(kind, number, isLasting: isLasting, device: parts.count > 1 ? String(parts[1]) : ""))
    }
  }
}
