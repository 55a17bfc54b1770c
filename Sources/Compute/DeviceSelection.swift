/// Which devices a person asked for, as written after `--device`.
public indirect enum DeviceSelection: Sendable, Equatable {
  /// The fastest device, or plain Swift where there is none.
  case automatic
  /// No OpenCL: plain Swift.
  case none
  /// Every GPU.
  case all
  /// The fastest device of a kind.
  case kind(DeviceDescription.Kind)
  /// A device by id or part of its name.
  case named(String)
  /// Several at once, each of them another.
  case several([DeviceSelection])

  /// Understands `auto`, `none`, `all`, `cpu`, `gpu`, an id, a part of a name, and several of these with commas.
  public init(_ text: String) {
    let words = text.split(separator: ",").map { $0.trimmingPrefix(" ") }
    if words.count > 1 {
      self = .several(words.map { DeviceSelection(String($0)) })
      return
    }
    switch text.lowercased() {
    case "auto": self = .automatic
    case "none": self = .none
    case "all": self = .all
    case "cpu": self = .kind(.cpu)
    case "gpu": self = .kind(.gpu)
    default: self = .named(text)
    }
  }

  /// Whether plain Swift may take over where no device can be used: a person who names one wants that one.
  public var allowsPlainSwift: Bool { self == .automatic || self == .none }

  /// The devices that this selection means.
  /// - Parameters:
  ///   - devices: all there are.
  ///   - taken: those of them that may not be chosen again.
  /// - Returns: those that are used at once, and those that may take their place, each the fastest first.
  /// - Throws: `ComputeError` where a device that is asked for isn't there; never for `automatic`.
  public func choose(
    among devices: [DeviceDescription], except taken: [DeviceDescription] = []
  ) throws(ComputeError) -> (chosen: [DeviceDescription], substitutes: [DeviceDescription]) {
    let usable = Self.byPreference(devices.filter { !taken.contains($0) })
    func matching(_ request: String, _ isMeant: (DeviceDescription) -> Bool) throws(ComputeError) -> [DeviceDescription]
    {
      let found = usable.filter(isMeant)
      if !found.isEmpty { return found }
      if taken.contains(where: isMeant) { throw .deviceTwice(request: request, available: devices.map(\.id)) }
      throw .unknownDevice(request: request, available: devices.filter { !taken.contains($0) }.map(\.id))
    }
    switch self {
    case .none: return ([], [])
    case .automatic: return (Array(usable.prefix(1)), Array(usable.dropFirst()))
    case .all: return (try matching("all GPUs") { $0.kind == .gpu }, [])
    case .kind(let kind):
      let found = try matching(kind.rawValue) { $0.kind == kind }
      return (Array(found.prefix(1)), Array(found.dropFirst()))
    case .named(let name):
      let wanted = name.lowercased()
      // An id is one device; a part of a name may be of several.
      let found = try matching(name) { $0.id == wanted || $0.name.lowercased().contains(wanted) }
      let exact = found.first { $0.id == wanted } ?? found[0]
      return ([exact], exact.id == wanted ? [] : found.filter { $0 != exact })
    case .several(let parts):
      var chosen: [DeviceDescription] = []
      for part in parts {
        if part == .none { throw .unknownDevice(request: "none beside others", available: devices.map(\.id)) }
        chosen += try part.choose(among: devices, except: chosen).chosen
      }
      // Only 'auto' finds nothing without saying so.
      if chosen.isEmpty { throw .noDevice(platforms: []) }
      return (chosen, [])
    }
  }

  /// The first device that this selection means, or nil for plain Swift.
  /// - Throws: `ComputeError` where the device asked for isn't there or can't be used; never for `automatic`, which
  ///   falls back to plain Swift and tells `note` why a device was passed over.
  public func open(note: (String) -> Void = { _ in }) throws(ComputeError) -> Device? {
    if self == .none { return nil }
    let runtime: OpenCLRuntime
    switch OpenCLRuntime.shared {
    case .success(let found): runtime = found
    case .failure(let error):
      if !allowsPlainSwift { throw error }
      note("plain Swift computes: \(error)")
      return nil
    }
    let (chosen, substitutes) = try choose(among: runtime.devices)
    var failure: ComputeError?
    for description in chosen + substitutes {
      do throws(ComputeError) {
        return try runtime.open(description)
      } catch {
        note("\(description.name) is passed over: \(error)")
        failure = error
      }
    }
    if let failure, !allowsPlainSwift { throw failure }
    return nil
  }

  /// Usable devices, the one that `auto` takes first.
  public static func byPreference(_ devices: [DeviceDescription]) -> [DeviceDescription] {
    devices.filter(\.isAvailable).sorted { $0.estimatedSpeed > $1.estimatedSpeed }
  }
}
