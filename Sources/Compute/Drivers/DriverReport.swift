import Foundation

/// What came of loading a driver and listing its devices, in a process of its own.
public struct DriverReport: Sendable, Equatable, Codable {
  /// What can come of it.
  public enum Outcome: Sendable, Equatable, Codable {
    /// It has these platforms, each with so many devices.
    case listed([Platform])
    /// The `.icd` file itself is no use, and why.
    case unusable(String)
    /// Its library can't be opened; the dynamic linker says why.
    case missing(String)
    /// The process crashed.
    case crashed(String)
    /// The process hadn't ended after so many seconds.
    case hung(Int)
    /// The process couldn't be started, or didn't answer.
    case unknown(String)
  }

  /// A platform.
  public struct Platform: Sendable, Equatable, Codable {
    /// As the driver calls itself.
    public let name: String
    /// Its devices.
    public let deviceCount: Int
  }

  /// The driver.
  public let driver: DriverFile
  /// Where its library lies; nil where it wasn't found.
  public internal(set) var libraryPath: String?
  /// What came of it.
  public internal(set) var outcome: Outcome

  /// Whether the driver would take the program down with it.
  public var isDangerous: Bool {
    switch outcome {
    case .crashed, .hung: true
    case .unusable, .listed, .missing, .unknown: false
    }
  }

  /// The platforms that it has.
  public var platforms: [Platform] { if case .listed(let platforms) = outcome { platforms } else { [] } }

  /// What is wrong, and what a person can do; nil where nothing is.
  public var problem: (text: String, remedy: String)? {
    let name = driver.path
    switch outcome {
    case .listed(let platforms) where platforms.isEmpty:
      return (
        "\(name): \(driver.library) offers no platform",
        "the driver finds nothing to drive: is its device there, and may this account use it?"
      )
    case .listed(let platforms):
      guard let idle = platforms.first(where: { $0.deviceCount == 0 }) else { return nil }
      return (
        "\(name): the platform \(idle.name) has no device",
        "the driver finds nothing to drive: is its device there, and may this account use it?"
      )
    case .unusable(let reason):
      return ("\(name): \(reason)", "reinstall the driver that it belongs to, or remove it")
    case .missing(let reason):
      return (
        "\(name): its library can't be loaded: \(reason)",
        "install the package that \(driver.library) belongs to, or remove \(name)"
      )
    case .crashed(let how):
      return (
        "\(name): \(driver.library) crashes when its devices are listed: \(how)",
        "it isn't loaded: update or reinstall this driver, or remove \(name)"
      )
    case .hung(let seconds):
      return (
        "\(name): \(driver.library) hadn't listed its devices after \(seconds) s",
        "it isn't loaded: update or reinstall this driver, or remove \(name)"
      )
    case .unknown(let reason): return ("\(name): it can't be tried out: \(reason)", "it is loaded all the same")
    }
  }
}
