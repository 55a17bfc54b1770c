import COpenCL

/// A kernel of a built program.
public final class Kernel: @unchecked Sendable {
  // Unchecked: the handle is constant; its arguments are set under the device's lock.

  /// The function's name in the source.
  public let name: String
  /// Work items of the largest group that the device can run this kernel with.
  public let maximumWorkGroupSize: Int
  let handle: cl_kernel
  /// Whether a fault makes its values wrong.
  let isWrong: Bool
  private let program: Program

  init(program: Program, name: String) throws(ComputeError) {
    let device = program.device
    var status: cl_int = 0
    guard let handle = device.functions.CreateKernel(program.handle, name, &status), status == CL_SUCCESS else {
      throw .call(function: "clCreateKernel of \(name)", code: status, device: device.description.name)
    }
    var size = 0
    let item = cl_kernel_work_group_info(CL_KERNEL_WORK_GROUP_SIZE)
    let id = device.description.deviceID.pointer
    status = device.functions.GetKernelWorkGroupInfo(handle, id, item, MemoryLayout<Int>.size, &size, nil)
    maximumWorkGroupSize = status == CL_SUCCESS ? size : device.description.maximumWorkGroupSize
    isWrong = device.isForSelfTest && device.injector?.faults([.wrong], on: device.description.id).isEmpty == false
    self.handle = handle
    self.name = name
    self.program = program
  }

  deinit {
    _ = program.device.functions.ReleaseKernel(handle)
  }
}

/// A value handed to a kernel.
public enum KernelArgument {
  /// A `global` pointer.
  case buffer(Buffer)
  /// An `int`.
  case int(Int32)
  /// A `uint`.
  case uint(UInt32)
  /// A `float`.
  case float(Float)
  /// A `ulong`.
  case ulong(UInt64)

  func set(_ index: Int, of kernel: Kernel, _ functions: kiano_opencl_functions) -> cl_int {
    func set<T>(_ value: T) -> cl_int {
      withUnsafePointer(to: value) {
        functions.SetKernelArg(kernel.handle, cl_uint(index), MemoryLayout<T>.size, $0)
      }
    }
    return switch self {
    case .buffer(let buffer): set(buffer.handle)
    case .int(let value): set(value)
    case .uint(let value): set(value)
    case .float(let value): set(value)
    case .ulong(let value): set(value)
    }
  }
}
