import Foundation

/// A file through which a GPU's driver reaches it.
public struct DeviceNode: Sendable, Equatable {
  /// Who made the GPU.
  public enum Vendor: String, Sendable {
    case nvidia, amd, intel, other
  }

  /// Its path, as in `/dev/dri/renderD128`.
  public let path: String
  /// Who made it, where that can be told.
  public let vendor: Vendor
  /// Whether this process may use it.
  public let isAccessible: Bool
  /// The group that may.
  public let group: String

  /// The GPUs' files of this machine.
  /// - Parameters:
  ///   - root: what stands for `/`, for tests.
  ///   - isAccessible: whether this process may read and write a file.
  public static func all(
    root: String = "", isAccessible: (String) -> Bool = { access($0, R_OK | W_OK) == 0 }
  ) -> [DeviceNode] {
    func names(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
    }
    func node(_ path: String, _ vendor: Vendor) -> DeviceNode {
      DeviceNode(
        path: path, vendor: vendor, isAccessible: isAccessible(root + path), group: groupName(of: root + path))
    }
    let nvidia = names("/dev").filter { $0 == "nvidiactl" || ($0.hasPrefix("nvidia") && Int($0.dropFirst(6)) != nil) }
    let render = names("/dev/dri").filter { $0.hasPrefix("renderD") }
    return nvidia.map { node("/dev/\($0)", .nvidia) }
      + render.map { node("/dev/dri/\($0)", vendor(ofRenderNode: $0, root: root)) }
      + names("/dev").filter { $0 == "kfd" }.map { node("/dev/\($0)", .amd) }
  }

  private static func vendor(ofRenderNode name: String, root: String) -> Vendor {
    let text = try? String(contentsOfFile: "\(root)/sys/class/drm/\(name)/device/vendor", encoding: .utf8)
    switch text?.trimmingCharacters(in: .whitespacesAndNewlines) {
    case "0x10de": return .nvidia
    case "0x1002": return .amd
    case "0x8086": return .intel
    default: return .other
    }
  }

  private static func groupName(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    return getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
  }
}

extension DeviceNode.Vendor {
  /// A word that the name of a platform for such GPUs has.
  var platformWords: [String] {
    switch self {
    case .nvidia: ["nvidia"]
    case .amd: ["amd", "rusticl", "clover"]
    case .intel: ["intel"]
    case .other: []
    }
  }

  /// The package with a driver.
  var package: String {
    switch self {
    case .nvidia:
      "nvidia-opencl-icd (in a container the host's driver: --gpus all, and NVIDIA_DRIVER_CAPABILITIES=compute,utility)"
    case .amd: "rocm-opencl-icd from AMD, or mesa-opencl-icd"
    case .intel: "intel-opencl-icd"
    case .other: "the OpenCL driver of the GPU's vendor"
    }
  }
}
