import Foundation

/// How fast the devices of a machine are.
public struct BenchReport: Codable, Sendable {
  /// What one device can do.
  public struct DeviceResult: Codable, Sendable {
    /// Its id, `none` for plain Swift.
    public let id: String
    /// Its name.
    public let name: String
    /// Its driver; empty for plain Swift.
    public let driver: String
    /// The best that was measured: bytes, multiplications and additions of floats and of whole numbers, a second.
    public internal(set) var peaks: [String: Double]
    /// Everything else.
    public internal(set) var measurements: [SpeedMeasurement]
    /// Why something is missing; empty where nothing is.
    public internal(set) var problems: [String]
  }

  /// The version of the document.
  public let schema: Int
  /// Of the program.
  public let version: String
  /// The network.
  public let model: String
  /// When it was measured, UTC.
  public let date: String
  /// The processor.
  public let processor: String
  /// Threads of plain Swift and of the decoders.
  public let threads: Int
  /// Whether less was measured, and for a shorter time.
  public let isQuick: Bool
  /// What is measured once, whatever computes: decoding.
  public internal(set) var host: [SpeedMeasurement]
  /// The devices.
  public internal(set) var devices: [DeviceResult]

  /// Reads what was printed earlier.
  public init(parsing bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    guard schema == 1 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is of another version"))
    }
  }

  init(version: String, model: String, threads: Int, isQuick: Bool) {
    schema = 1
    self.version = version
    self.model = model
    date = ISO8601DateFormatter().string(from: Date())
    processor = Self.processorName
    self.threads = threads
    self.isQuick = isQuick
    host = []
    devices = []
  }

  private static var processorName: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }

  /// A measurement beside an earlier one of the same.
  public struct Comparison: Sendable {
    /// The device; empty for the host.
    public let device: String
    /// The new one.
    public let new: SpeedMeasurement
    /// How many times as fast as the old one it is.
    public let ratio: Double
    /// Whether that is more than both spreads explain.
    public let isClear: Bool
  }

  /// What both this and an earlier report have.
  public func compared(with old: BenchReport) -> [Comparison] {
    func compare(_ device: String, _ new: [SpeedMeasurement], _ old: [SpeedMeasurement]) -> [Comparison] {
      new.compactMap { new in
        guard let before = old.first(where: { $0.stage == new.stage && $0.detail == new.detail && $0.unit == new.unit })
        else { return nil }
        let ratio = new.perSecond / before.perSecond
        return Comparison(
          device: device, new: new, ratio: ratio, isClear: abs(ratio - 1) > max(0.02, (new.spread + before.spread) / 2))
      }
    }
    return compare("", host, old.host)
      + devices.flatMap { device in
        compare(device.id, device.measurements, old.devices.first { $0.id == device.id }?.measurements ?? [])
      }
  }
}
