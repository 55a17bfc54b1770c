import COpenCL

/// What makes one build differ from another on the same device.
struct ProgramKey: Hashable {
  let source: KernelSource
  let options: [String]
}

/// A built OpenCL program.
public final class Program: @unchecked Sendable {
  // Unchecked: the handle is constant after init; creating kernels of it is thread-safe in OpenCL.

  let device: Device
  let name: String
  let handle: cl_program

  init(device: Device, key: ProgramKey, cache: BinaryCache) throws(ComputeError) {
    self.device = device
    name = key.source.name
    let cacheKey = cache.key(device: device.description, program: key)
    let options = Self.baseOptions + key.options
    if let binary = cache.load(cacheKey), let program = Self.build(binary: binary, device: device, options: options) {
      handle = program
      return
    }
    handle = try Self.build(source: key.source, device: device, options: options)
    if let binary = Self.binary(of: handle, device: device) { cache.store(binary, for: cacheKey) }
  }

  deinit {
    _ = device.functions.ReleaseProgram(handle)
  }

  /// The kernel of this name.
  public func kernel(_ name: String) throws(ComputeError) -> Kernel {
    try Kernel(program: self, name: name)
  }

  // MARK: - Building

  static let baseOptions = ["-cl-std=CL1.2"]

  private static func build(source: KernelSource, device: Device, options: [String]) throws(ComputeError) -> cl_program
  {
    var status: cl_int = 0
    let created = source.text.withCString { text in
      var pointer: UnsafePointer<CChar>? = text
      var length = source.text.utf8.count
      return device.functions.CreateProgramWithSource(device.context, 1, &pointer, &length, &status)
    }
    guard let program = created, status == CL_SUCCESS else {
      throw .call(function: "clCreateProgramWithSource", code: status, device: device.description.name)
    }
    var id: cl_device_id? = device.description.deviceID.pointer
    status = device.functions.BuildProgram(program, 1, &id, options.joined(separator: " "), nil, nil)
    if status != CL_SUCCESS {
      let log = device.functions.text {
        device.functions.GetProgramBuildInfo(program, id, cl_program_build_info(CL_PROGRAM_BUILD_LOG), $0, $1, $2)
      }
      _ = device.functions.ReleaseProgram(program)
      throw .build(
        program: source.name, device: device.description.name,
        log: log.isEmpty ? OpenCLStatus.name(of: status) : log)
    }
    return program
  }

  private static func build(binary: [UInt8], device: Device, options: [String]) -> cl_program? {
    var status: cl_int = 0
    var binaryStatus: cl_int = 0
    var id: cl_device_id? = device.description.deviceID.pointer
    let created = binary.withUnsafeBufferPointer { bytes in
      var pointer = bytes.baseAddress
      var length = bytes.count
      return device.functions.CreateProgramWithBinary(
        device.context, 1, &id, &length, &pointer, &binaryStatus, &status)
    }
    guard let program = created else { return nil }
    if status == CL_SUCCESS, binaryStatus == CL_SUCCESS,
      device.functions.BuildProgram(program, 1, &id, options.joined(separator: " "), nil, nil) == CL_SUCCESS
    {
      return program
    }
    _ = device.functions.ReleaseProgram(program)
    return nil
  }

  private static func binary(of program: cl_program, device: Device) -> [UInt8]? {
    var size = 0
    let sizes = cl_program_info(CL_PROGRAM_BINARY_SIZES)
    guard device.functions.GetProgramInfo(program, sizes, MemoryLayout<Int>.size, &size, nil) == CL_SUCCESS, size > 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    let status = bytes.withUnsafeMutableBufferPointer { buffer in
      var pointer = buffer.baseAddress
      return device.functions.GetProgramInfo(
        program, cl_program_info(CL_PROGRAM_BINARIES), MemoryLayout<UnsafeMutablePointer<UInt8>>.size, &pointer, nil)
    }
    return status == CL_SUCCESS ? bytes : nil
  }
}
