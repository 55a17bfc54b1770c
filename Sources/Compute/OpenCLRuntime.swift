import COpenCL
import Foundation

/// The OpenCL library of this process: opened once, listed once.
///
/// PoCL crashes when two threads make its first context at once, so this value, made lazily by one thread, owns every
/// first use: `Device.open` goes through its lock.
public final class OpenCLRuntime: @unchecked Sendable {
  // Unchecked: the function table and the device list are constant after init; the opened devices are behind `lock`.

  let functions: kiano_opencl_functions
  /// Every device of every platform, in the loader's order; ids are distinct.
  public let devices: [DeviceDescription]
  /// The name and version of each platform, in the loader's order.
  public let platforms: [PlatformDescription]

  private let lock = NSLock()
  private var opened: [String: Device] = [:]

  /// The runtime, or the reason why this machine has none.
  public static let shared: Result<OpenCLRuntime, ComputeError> = Result { () throws(ComputeError) in
    try OpenCLRuntime(library: loader)
  }

  private init(library: String) throws(ComputeError) {
    DriverCache.prepare()
    DriverThreads.prepare()
    let storage = UnsafeMutablePointer<kiano_opencl_functions>.allocate(capacity: 1)
    defer { storage.deallocate() }
    if let reason = kiano_opencl_load(library, storage) {
      defer { free(reason) }
      throw .loaderMissing(reason: String(cString: reason))
    }
    functions = storage.pointee
    (platforms, devices) = try Self.list(functions)
  }

  /// The device with this description, with its context and queue. The same object for each call.
  /// - Throws: `ComputeError.call` where the driver refuses.
  public func open(_ description: DeviceDescription) throws(ComputeError) -> Device {
    lock.lock()
    defer { lock.unlock() }
    if let device = opened[description.id] { return device }
    let device = try Device(functions: functions, description: description)
    opened[description.id] = device
    return device
  }

  /// A further context of the device.
  /// - Parameters:
  ///   - injector: makes calls fail, in tests.
  ///   - isForSelfTest: whether it is made for a self-test.
  /// - Throws: `ComputeError.call` where the driver refuses.
  public func makeDevice(
    _ description: DeviceDescription, injector: FaultInjector? = nil, isForSelfTest: Bool = false
  ) throws(ComputeError) -> Device {
    lock.lock()
    defer { lock.unlock() }
    return try Device(
      functions: functions, description: description, injector: injector, isForSelfTest: isForSelfTest)
  }

  // MARK: - Listing

  private static func list(
    _ functions: kiano_opencl_functions
  ) throws(ComputeError) -> ([PlatformDescription], [DeviceDescription]) {
    var count: cl_uint = 0
    let status = functions.GetPlatformIDs(0, nil, &count)
    if status == OpenCLStatus.noPlatform || (status == CL_SUCCESS && count == 0) { throw .noPlatform }
    guard status == CL_SUCCESS else { throw .call(function: "clGetPlatformIDs", code: status, device: "OpenCL") }
    var ids = [cl_platform_id?](repeating: nil, count: Int(count))
    guard functions.GetPlatformIDs(count, &ids, nil) == CL_SUCCESS else { throw .noPlatform }

    // Each device several times, for tests of several devices on machines that have one.
    let copies = max(1, ProcessInfo.processInfo.environment["KIANO_DEVICE_COPIES"].flatMap { Int($0) } ?? 1)
    var platforms: [PlatformDescription] = []
    var devices: [DeviceDescription] = []
    for platform in ids.compactMap({ $0 }) {
      let name = functions.text { functions.GetPlatformInfo(platform, cl_platform_info(CL_PLATFORM_NAME), $0, $1, $2) }
      let version = functions.text {
        functions.GetPlatformInfo(platform, cl_platform_info(CL_PLATFORM_VERSION), $0, $1, $2)
      }
      platforms.append(PlatformDescription(name: name, version: version))
      var deviceCount: cl_uint = 0
      let all = cl_device_type(CL_DEVICE_TYPE_ALL)
      guard functions.GetDeviceIDs(platform, all, 0, nil, &deviceCount) == CL_SUCCESS, deviceCount > 0 else { continue }
      var deviceIDs = [cl_device_id?](repeating: nil, count: Int(deviceCount))
      guard functions.GetDeviceIDs(platform, all, deviceCount, &deviceIDs, nil) == CL_SUCCESS else { continue }
      for device in deviceIDs.compactMap({ $0 }).flatMap({ repeatElement($0, count: copies) }) {
        let taken = Set(devices.map(\.id))
        devices.append(
          DeviceDescription(functions: functions, platform: name, platformID: platform, device: device, taken: taken))
      }
    }
    if devices.isEmpty { throw .noDevice(platforms: platforms.map(\.name)) }
    return (platforms, devices)
  }
}

/// One OpenCL platform: a driver.
public struct PlatformDescription: Sendable, Equatable {
  /// As the driver calls itself.
  public let name: String
  /// "OpenCL 1.2 ...", as the driver prints it.
  public let version: String
}

extension kiano_opencl_functions {
  /// A text that one of the API's `Get...Info` functions returns; empty where it fails.
  func text(_ get: (Int, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?) -> cl_int) -> String {
    var size = 0
    guard get(0, nil, &size) == CL_SUCCESS, size > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: size)
    guard get(size, &bytes, nil) == CL_SUCCESS else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  }
}
