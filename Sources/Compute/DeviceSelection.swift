/// Which device a person asked for, as written after `--device`.
public enum DeviceSelection: Sendable, Equatable {
  /// The fastest device, or plain Swift where there is none.
  case automatic
  /// No OpenCL: plain Swift.
  case none
  /// The fastest device of a kind.
  case kind(DeviceDescription.Kind)
  /// A device by id or part of its name.
  case named(String)

  /// Understands `auto`, `none`, `cpu`, `gpu`, an id or a part of a name.
  public init(_ text: String) {
    switch text.lowercased() {
    case "auto": self = .automatic
    case "none": self = .none
    case "cpu": self = .kind(.cpu)
    case "gpu": self = .kind(.gpu)
    default: self = .named(text)
    }
  }

  /// The device that this selection means, or nil for plain Swift.
  /// - Throws: `ComputeError` where the device asked for isn't there or can't be used; never for `automatic`, which
  ///   falls back to plain Swift and tells `note` why a device was passed over.
  public func open(note: (String) -> Void = { _ in }) throws(ComputeError) -> Device? {
    switch self {
    case .none: return nil
    case .automatic: return openFastest(note: note)
    case .kind(let kind): return try open(kind.rawValue) { $0.kind == kind }
    case .named(let name):
      let wanted = name.lowercased()
      return try open(name) { $0.id == wanted || $0.name.lowercased().contains(wanted) }
    }
  }

  private func openFastest(note: (String) -> Void) -> Device? {
    let runtime: OpenCLRuntime
    switch OpenCLRuntime.shared {
    case .success(let found): runtime = found
    case .failure(let error):
      note("plain Swift computes: \(error)")
      return nil
    }
    for description in Self.byPreference(runtime.devices) {
      do throws(ComputeError) {
        return try runtime.open(description)
      } catch {
        note("\(description.name) is passed over: \(error)")
      }
    }
    return nil
  }

  private func open(
    _ request: String, where matches: (DeviceDescription) -> Bool
  ) throws(ComputeError) -> Device {
    let runtime = try OpenCLRuntime.shared.get()
    guard let description = Self.byPreference(runtime.devices).first(where: matches) else {
      throw .unknownDevice(request: request, available: runtime.devices.map(\.id))
    }
    return try runtime.open(description)
  }

  /// Usable devices, the one that `auto` takes first.
  public static func byPreference(_ devices: [DeviceDescription]) -> [DeviceDescription] {
    devices.filter(\.isAvailable).sorted { $0.estimatedSpeed > $1.estimatedSpeed }
  }
}
