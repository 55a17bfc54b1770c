import Compute
import Features
import Sorting

/// What computes in a job: OpenCL devices, or plain Swift.
///
/// A device that fails on the way is replaced for the rest of the job, so copies of a choice share what they have.
public struct ComputeChoice: Sendable {
  /// The devices; nil for plain Swift.
  let devices: DeviceStack?
  /// How many threads plain Swift and the decoders use.
  public let threads: Int

  /// Opens what `selection` asks for.
  /// - Parameters:
  ///   - threads: how many threads to use.
  ///   - probe: tries drivers out before they are loaded; nil loads them as they are.
  ///   - faults: what fails, in tests.
  ///   - note: told why a device was passed over.
  ///   - detail: told why there is none at all, which is an ordinary thing.
  /// - Throws: `EngineError` of kind `device` where it asks for a device that can't be used.
  public init(
    _ selection: DeviceSelection, threads: Int, probe: DriverProbe? = nil, faults: FaultPlan? = nil,
    note: (String) -> Void,
    detail: (String) -> Void
  ) throws(EngineError) {
    self.threads = threads
    if selection == .none {
      devices = nil
      return
    }
    do throws(ComputeError) {
      let (loaded, reports) = probe.map { OpenCLRuntime.load($0) } ?? (OpenCLRuntime.shared, [])
      for case (let problem, _)? in reports.filter(\.isDangerous).map(\.problem) {
        note("\(problem); it isn't loaded ('kiano-gpu devices' tries it again)")
      }
      let runtime = try loaded.get()
      let (chosen, substitutes) = try selection.choose(among: runtime.devices)
      devices = DeviceStack(
        runtime, chosen: chosen, substitutes: substitutes, isRequired: !selection.allowsPlainSwift,
        injector: faults.map(FaultInjector.init))
    } catch {
      if !selection.allowsPlainSwift { throw EngineError(.device, "\(error)") }
      detail("plain Swift computes: \(error)")
      devices = nil
      return
    }
    // Before any work: a device that was asked for and can't be opened ends the job.
    for slot in 0..<devices!.slotCount { _ = try devices!.device(slot, for: nil, note: note) }
  }

  /// What computes, for people: the devices' names, or plain Swift and its threads.
  public var name: String {
    let names = devices?.names ?? []
    return names.isEmpty
      ? "plain Swift, \(threads) \(threads == 1 ? "thread" : "threads")" : names.joined(separator: " and ")
  }

  /// What computes where one device does.
  var firstName: String { devices?.names.first ?? name }
}
