/// Parameters of kernels that were found by measuring, kept in the cache: they hold for one device, version of its driver,
/// and text of the kernels.
public struct TunedParameters: Sendable {
  private let key: String

  /// - Parameters:
  ///   - name: of which kernels.
  ///   - kernels: the names of their files.
  public init(_ name: String, kernels: [String], of device: DeviceDescription) {
    let parts =
      [device.id, device.platform, device.name, device.version, device.driver]
      + kernels.map { KernelSource.embedded($0).text }
    key = "tuning-\(name)-\(FNV1a.hash(Array(parts.joined(separator: "\0").utf8))).bin"
  }

  /// What is kept; nil where nothing is, or it is damaged.
  public var kept: [UInt8]? { BinaryCache.standard.load(key) }

  /// Forgets what is kept.
  public func forget() { BinaryCache.standard.remove(key) }

  /// Keeps parameters for later runs.
  /// - Returns: whether they are there now; they aren't where the cache can't be written.
  public func keep(_ parameters: [UInt8]) -> Bool {
    BinaryCache.standard.store(parameters, for: key)
    return kept == parameters
  }
}
