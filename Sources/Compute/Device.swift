import COpenCL
import Foundation
import Synchronization

/// An opened OpenCL device: one context and one in-order command queue.
///
/// May be used from any thread: commands enter the queue one at a time. Buffers and kernels belong to the device that
/// made them.
public final class Device: @unchecked Sendable {
  // Unchecked: OpenCL objects may be used from any thread but for clSetKernelArg, which `enqueueLock` covers.

  /// What is known of the device.
  public let description: DeviceDescription
  let functions: kiano_opencl_functions
  let context: cl_context
  let queue: cl_command_queue
  /// Makes calls fail, in tests.
  let injector: FaultInjector?
  /// Whether only the self-test uses it.
  let isForSelfTest: Bool
  /// Seconds that the device may take for what was enqueued before it counts as hanging.
  let timeLimit: Double
  let state = DeviceState()
  private let enqueueLock = NSLock()
  private let programLock = NSLock()
  private var programs: [ProgramKey: Program] = [:]

  init(
    functions: kiano_opencl_functions, description: DeviceDescription, injector: FaultInjector? = nil,
    isForSelfTest: Bool = false, timeLimit: Double = Device.standardTimeLimit
  ) throws(ComputeError) {
    self.functions = functions
    self.description = description
    self.injector = injector
    self.isForSelfTest = isForSelfTest
    self.timeLimit = timeLimit
    if let injector {
      let happening = injector.faults(isForSelfTest ? [.selftest] : [.context], on: description.id)
      if !happening.isEmpty { throw .call(function: "clCreateContext", code: -2, device: description.name) }
    }
    var status: cl_int = 0
    var device: cl_device_id? = description.deviceID.pointer
    var properties = [
      cl_context_properties(CL_CONTEXT_PLATFORM),
      cl_context_properties(bitPattern: UInt(bitPattern: description.platformID.pointer)), 0,
    ]
    guard let context = functions.CreateContext(&properties, 1, &device, nil, nil, &status), status == CL_SUCCESS
    else { throw .call(function: "clCreateContext", code: status, device: description.name) }
    guard let queue = functions.CreateCommandQueue(context, device, 0, &status), status == CL_SUCCESS else {
      _ = functions.ReleaseContext(context)
      throw .call(function: "clCreateCommandQueue", code: status, device: description.name)
    }
    self.context = context
    self.queue = queue
  }

  deinit {
    programs.removeAll()
    // Releasing would wait for the kernel that doesn't end.
    if state.isStuck.load(ordering: .relaxed) { return }
    _ = functions.ReleaseCommandQueue(queue)
    _ = functions.ReleaseContext(context)
  }

  func check(_ status: cl_int, _ function: @autoclosure () -> String) throws(ComputeError) {
    if status != CL_SUCCESS { throw .call(function: function(), code: status, device: description.name) }
  }

  // MARK: - Programs

  /// The program of one kernel file, built with `options`; built once per device, kept in the binary cache.
  /// - Parameters:
  ///   - source: the OpenCL C file.
  ///   - options: compiler options, such as `-DGROUP=16`.
  /// - Throws: `ComputeError.build` with the driver's log.
  public func program(_ source: KernelSource, options: [String] = []) throws(ComputeError) -> Program {
    let key = ProgramKey(source: source, options: options)
    programLock.lock()
    defer { programLock.unlock() }
    if let program = programs[key] { return program }
    try begin(.build, source.name)
    let program = try Program(device: self, key: key, cache: .standard)
    programs[key] = program
    return program
  }

  // MARK: - Commands

  /// Enqueues a kernel over a range of work items; returns at once.
  /// - Parameters:
  ///   - kernel: a kernel of this device.
  ///   - arguments: in the kernel's order.
  ///   - groups: the number of work groups in each dimension, 1 to 3 of them; a zero enqueues nothing.
  ///   - groupSize: the kernel's declared work-group size in each dimension.
  public func enqueue(
    _ kernel: Kernel, _ arguments: [KernelArgument], groups: [Int], groupSize: [Int]
  ) throws(ComputeError) {
    precondition(groups.count == groupSize.count && (1...3).contains(groups.count))
    if groups.contains(0) { return }
    let items = groupSize.reduce(1, *)
    if items > kernel.maximumWorkGroupSize {
      throw .workGroupTooLarge(
        kernel: kernel.name, needed: items, limit: kernel.maximumWorkGroupSize, device: description.name)
    }
    try begin(.enqueue, "clEnqueueNDRangeKernel of \(kernel.name)")
    enqueueLock.lock()
    defer { enqueueLock.unlock() }
    if kernel.isWrong { state.isWrong.store(true, ordering: .relaxed) }
    state.enqueued()
    for (index, argument) in arguments.enumerated() {
      try check(argument.set(index, of: kernel, functions), "clSetKernelArg \(index) of \(kernel.name)")
    }
    var global = zip(groups, groupSize).map { $0 * $1 }
    var local = groupSize
    try check(
      functions.EnqueueNDRangeKernel(queue, kernel.handle, cl_uint(groups.count), nil, &global, &local, 0, nil, nil),
      "clEnqueueNDRangeKernel of \(kernel.name)")
  }
}
