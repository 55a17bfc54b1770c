import Arguments
import Compute
import Foundation

/// Faults of devices that tests ask for by a variable of the environment: docs/internals.md says how.
enum InjectedFaults {
  static let variable = "KIANO_INJECT_FAULTS"

  /// The faults; nil where none are asked for.
  static var plan: FaultPlan? {
    get throws(UsageError) {
      guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
      guard let plan = FaultPlan(parsing: text) else {
        throw UsageError("\(variable) can't be understood: it takes FAULT:NUMBER with commas between")
      }
      return plan
    }
  }
}
