import COpenCL
import Foundation

/// What is known of an OpenCL device without using it.
public struct DeviceDescription: Sendable, Equatable {
  /// The kinds that kernels are tuned for.
  public enum Kind: String, Sendable {
    case cpu, gpu, accelerator
  }

  /// Stable from run to run: platform and name, in lower case with dashes, and the PCI address, or, where the driver
  /// doesn't tell it, the number among devices of that name.
  public let id: String
  /// The driver's name for the device.
  public let name: String
  /// The platform that offers it.
  public let platform: String
  /// What kind of processor it is.
  public let kind: Kind
  /// The driver's version.
  public let driver: String
  /// "OpenCL 1.2 ...", as the device says it.
  public let version: String
  /// Cores of a processor, multiprocessors of a GPU.
  public let computeUnits: Int
  /// Floats of one vector register: 16 with AVX-512, 8 with AVX, 4 with NEON; 1 on most GPUs.
  public let floatLanes: Int
  /// MHz, as the driver says it; 0 where it doesn't.
  public let clockMegahertz: Int
  /// Bytes of global memory.
  public let memoryBytes: UInt64
  /// Bytes of the largest buffer.
  public let maximumAllocationBytes: UInt64
  /// Bytes of local memory of one work group.
  public let localMemoryBytes: UInt64
  /// Work items of the largest work group.
  public let maximumWorkGroupSize: Int
  /// The names of the extensions, sorted.
  public let extensions: [String]
  /// Where the device is on the PCI bus, as in `0000:03:00.0`; nil where it is nowhere, or the driver doesn't tell.
  public let pciAddress: String?
  /// False where the driver lists the device but can't use it.
  public let isAvailable: Bool

  let platformID: OpaqueHandle
  let deviceID: OpaqueHandle

  /// The extensions that make a difference to us, and whether they are there.
  public var features: [(name: String, isThere: Bool)] {
    let subgroups = ["cl_khr_subgroups", "cl_intel_subgroups"]
    return [
      ("fp16", extensions.contains("cl_khr_fp16")), ("fp64", extensions.contains("cl_khr_fp64")),
      ("subgroups", subgroups.contains { extensions.contains($0) }),
      ("int64 atomics", extensions.contains("cl_khr_int64_base_atomics")),
    ]
  }

  /// A rough speed, for choosing among devices: any GPU before any processor, then units times clock.
  public var estimatedSpeed: Double {
    let kindFactor = kind == .gpu ? 1e9 : kind == .accelerator ? 1e6 : 1
    return kindFactor * Double(max(computeUnits, 1)) * Double(max(clockMegahertz, 1))
  }

  /// Two descriptions are equal when they speak of the same device.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}

/// A handle of the driver's: a name for something, never read through.
struct OpaqueHandle: @unchecked Sendable {
  // Unchecked: OpenCL platform and device handles may be used from any thread (OpenCL 1.2, appendix A.2).
  let pointer: OpaquePointer
}

extension DeviceDescription {
  init(
    functions: kiano_opencl_functions, platform: String, platformID: cl_platform_id, device: cl_device_id,
    taken: Set<String>
  ) {
    func text(_ item: Int32) -> String {
      functions.text { functions.GetDeviceInfo(device, cl_device_info(item), $0, $1, $2) }
    }
    func number<T: FixedWidthInteger>(_ item: Int32, _: T.Type) -> T {
      var value: T = 0
      _ = functions.GetDeviceInfo(device, cl_device_info(item), MemoryLayout<T>.size, &value, nil)
      return value
    }
    name = text(CL_DEVICE_NAME)
    self.platform = platform
    driver = text(CL_DRIVER_VERSION)
    version = text(CL_DEVICE_VERSION)
    let type = number(CL_DEVICE_TYPE, cl_device_type.self)
    kind =
      type & cl_device_type(CL_DEVICE_TYPE_GPU) != 0
      ? .gpu : type & cl_device_type(CL_DEVICE_TYPE_CPU) != 0 ? .cpu : .accelerator
    computeUnits = Int(number(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint.self))
    floatLanes = Int(number(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint.self))
    clockMegahertz = Int(number(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint.self))
    memoryBytes = number(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong.self)
    maximumAllocationBytes = number(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong.self)
    localMemoryBytes = number(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong.self)
    maximumWorkGroupSize = number(CL_DEVICE_MAX_WORK_GROUP_SIZE, Int.self)
    extensions = text(CL_DEVICE_EXTENSIONS).split(separator: " ").map(String.init).sorted()
    pciAddress = PCIAddress.text(of: device, functions: functions, extensions: extensions)
    isAvailable = number(CL_DEVICE_AVAILABLE, cl_bool.self) != 0
    self.platformID = OpaqueHandle(pointer: platformID)
    deviceID = OpaqueHandle(pointer: device)

    let stem = Self.slug(platform) + "/" + Self.slug(name)
    var ending = pciAddress ?? "0"
    var number = 0
    while taken.contains("\(stem)/\(ending)") {
      number += 1
      ending = "\(number)"
    }
    id = "\(stem)/\(ending)"
  }

  /// Lower case letters and digits, everything else one dash: "Intel(R) Xeon(R)" becomes "intel-r-xeon-r".
  static func slug(_ text: String) -> String {
    text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }
}
