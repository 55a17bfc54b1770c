/// What can go wrong between the program and an OpenCL device.
///
/// Every case names the device or the library it speaks of; `description` ends with what a person can do next where
/// there is something to do.
public enum ComputeError: Error, Equatable, CustomStringConvertible {
  /// The ICD loader couldn't be opened; `reason` is the dynamic linker's.
  case loaderMissing(reason: String)
  /// The loader is there, but no driver registers a platform with it.
  case noPlatform
  /// Platforms are there, but none has a device.
  case noDevice(platforms: [String])
  /// No device matches what was asked for; `available` lists the ids of those that exist.
  case unknownDevice(request: String, available: [String])
  /// What was asked for beside other devices means only ones that were asked for before.
  case deviceTwice(request: String, available: [String])
  /// The context answers no more.
  case lost(device: String)
  /// What was enqueued takes longer than the device's limit.
  case tooSlow(device: String, seconds: Double)
  /// What came back can't be right.
  case wrongResult(kernel: String, device: String)
  /// A call failed; `code` is OpenCL's error number.
  case call(function: String, code: Int32, device: String)
  /// A program didn't compile; `log` is the driver's.
  case build(program: String, device: String, log: String)
  /// The device can't run a kernel with the work-group size that it declares.
  case workGroupTooLarge(kernel: String, needed: Int, limit: Int, device: String)

  /// The failure in words.
  public var description: String {
    switch self {
    case .loaderMissing(let reason):
      "OpenCL isn't installed (\(reason)); install ocl-icd-libopencl1 and your device's driver, "
        + "or pocl-opencl-icd to use the processor"
    case .noPlatform:
      "OpenCL has no platform; install your device's driver, or pocl-opencl-icd to use the processor"
    case .noDevice(let platforms):
      "OpenCL platforms are installed (\(platforms.joined(separator: ", "))), but none of them has a device"
    case .unknownDevice(let request, let available):
      "no device is \"\(request)\"; "
        + (available.isEmpty ? "no OpenCL device was found" : "there are: \(available.joined(separator: ", "))")
        + ", and none for plain Swift"
    case .deviceTwice(let request, let available):
      "\"\(request)\" names a device that is there already; there are: \(available.joined(separator: ", "))"
    case .lost(let device):
      "\(device) is lost"
    case .tooSlow(let device, let seconds):
      "\(device) has been computing for more than \(Int(seconds)) s"
    case .wrongResult(let kernel, let device):
      "\(device) computes wrong values (\(kernel))"
    case .call(let function, let code, let device):
      "\(function) failed on \(device): \(OpenCLStatus.name(of: code)) (\(code))"
    case .build(let program, let device, let log):
      "the kernel \(program) doesn't build on \(device): \(log)"
    case .workGroupTooLarge(let kernel, let needed, let limit, let device):
      "the kernel \(kernel) needs \(needed) work items in a group, and \(device) allows \(limit)"
    }
  }

  /// Whether it says of a kernel that the device can't run it as it is built, rather than anything of the device.
  public var isOfKernel: Bool {
    switch self {
    case .build, .workGroupTooLarge: true
    default: isOutOfMemory
    }
  }

  /// Whether trying again with less memory may succeed.
  public var isOutOfMemory: Bool {
    guard case .call(_, let code, _) = self else { return false }
    return OpenCLStatus.outOfMemory.contains(code)
  }
}

/// OpenCL's error numbers (cl.h), by name.
enum OpenCLStatus {
  static let noPlatform: Int32 = -1001  // CL_PLATFORM_NOT_FOUND_KHR
  static let deviceNotFound: Int32 = -1  // CL_DEVICE_NOT_FOUND
  static let outOfMemory: Set<Int32> = [-4, -5, -6, -61]

  static func name(of code: Int32) -> String {
    names[code] ?? "unknown error"
  }

  private static let names: [Int32: String] = [
    -1: "CL_DEVICE_NOT_FOUND", -2: "CL_DEVICE_NOT_AVAILABLE", -3: "CL_COMPILER_NOT_AVAILABLE",
    -4: "CL_MEM_OBJECT_ALLOCATION_FAILURE", -5: "CL_OUT_OF_RESOURCES", -6: "CL_OUT_OF_HOST_MEMORY",
    -7: "CL_PROFILING_INFO_NOT_AVAILABLE", -11: "CL_BUILD_PROGRAM_FAILURE",
    -14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", -30: "CL_INVALID_VALUE", -33: "CL_INVALID_DEVICE",
    -34: "CL_INVALID_CONTEXT", -36: "CL_INVALID_COMMAND_QUEUE", -38: "CL_INVALID_MEM_OBJECT",
    -42: "CL_INVALID_BINARY", -43: "CL_INVALID_BUILD_OPTIONS", -44: "CL_INVALID_PROGRAM",
    -45: "CL_INVALID_PROGRAM_EXECUTABLE", -46: "CL_INVALID_KERNEL_NAME", -48: "CL_INVALID_KERNEL",
    -49: "CL_INVALID_ARG_INDEX", -50: "CL_INVALID_ARG_VALUE", -51: "CL_INVALID_ARG_SIZE",
    -52: "CL_INVALID_KERNEL_ARGS", -54: "CL_INVALID_WORK_GROUP_SIZE", -55: "CL_INVALID_WORK_ITEM_SIZE",
    -56: "CL_INVALID_GLOBAL_OFFSET", -61: "CL_INVALID_BUFFER_SIZE", -63: "CL_INVALID_GLOBAL_WORK_SIZE",
    -1001: "CL_PLATFORM_NOT_FOUND_KHR",
  ]
}
