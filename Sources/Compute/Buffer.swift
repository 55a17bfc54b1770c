import COpenCL
import Foundation
import Synchronization

/// Memory of a device.
public final class Buffer: @unchecked Sendable {
  // Unchecked: the handle is constant, and OpenCL memory objects may be used from any thread.

  /// The device whose memory it is.
  public let device: Device
  /// Size in bytes.
  public let byteCount: Int
  let handle: cl_mem

  fileprivate init(device: Device, byteCount: Int) throws(ComputeError) {
    var status: cl_int = 0
    // OpenCL has no empty buffers.
    let size = max(byteCount, 16)
    try device.begin(.allocation, "clCreateBuffer of \(size) bytes")
    guard
      let handle = device.functions.CreateBuffer(
        device.context, cl_mem_flags(CL_MEM_READ_WRITE), size, nil, &status), status == CL_SUCCESS
    else { throw .call(function: "clCreateBuffer of \(size) bytes", code: status, device: device.description.name) }
    self.device = device
    self.byteCount = byteCount
    self.handle = handle
  }

  deinit {
    if !Self.keepsReleased, !device.state.isStuck.load(ordering: .relaxed) {
      _ = device.functions.ReleaseMemObject(handle)
    }
  }

  /// oclgrind 21.10 takes a buffer that lies where a released one was for uninitialised, so its runs set this.
  private static let keepsReleased = ProcessInfo.processInfo.environment["KIANO_KEEP_BUFFERS"] != nil

  /// Copies `source` into the buffer from `offset` bytes on; returns once `source` may be changed.
  public func write(_ source: UnsafeRawBufferPointer, at offset: Int = 0) throws(ComputeError) {
    precondition(offset >= 0 && offset + source.count <= byteCount)
    guard let base = source.baseAddress, source.count > 0 else { return }
    try device.begin(.transfer, "clEnqueueWriteBuffer")
    // The copy itself can't be given up: the driver would go on reading.
    try device.wait()
    try device.check(
      device.functions.EnqueueWriteBuffer(
        device.queue, handle, cl_bool(CL_TRUE), offset, source.count, base, 0, nil, nil),
      "clEnqueueWriteBuffer")
  }

  /// Copies `source` into the buffer from `offset` elements on.
  public func write<Element: BitwiseCopyable>(_ source: [Element], at offset: Int = 0) throws(ComputeError) {
    let result = source.withUnsafeBytes { bytes in
      Result { () throws(ComputeError) in try write(bytes, at: offset * MemoryLayout<Element>.stride) }
    }
    try result.get()
  }

  /// Waits for the queue and copies from `offset` bytes on into `destination`.
  public func read(into destination: UnsafeMutableRawBufferPointer, at offset: Int = 0) throws(ComputeError) {
    precondition(offset >= 0 && offset + destination.count <= byteCount)
    guard let base = destination.baseAddress, destination.count > 0 else { return }
    try device.begin(.transfer, "clEnqueueReadBuffer")
    try device.wait()
    try device.check(
      device.functions.EnqueueReadBuffer(
        device.queue, handle, cl_bool(CL_TRUE), offset, destination.count, base, 0, nil, nil),
      "clEnqueueReadBuffer")
    if device.state.isWrong.load(ordering: .relaxed) {
      for index in destination.indices { destination[index] ^= 0x55 }
    }
  }

  /// Waits for the queue and returns `count` elements from the start of the buffer.
  public func read<Element: BitwiseCopyable>(_: Element.Type, count: Int) throws(ComputeError) -> [Element] {
    let byteCount = count * MemoryLayout<Element>.stride
    var failure: ComputeError?
    let elements = [Element](unsafeUninitializedCapacity: count) { storage, initialized in
      do throws(ComputeError) {
        try read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(storage)[..<byteCount]))
        initialized = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    return elements
  }
}

extension Device {
  /// New memory; what it holds is undefined.
  /// - Throws: `ComputeError.call` with `isOutOfMemory` where the device has no room.
  public func makeBuffer(byteCount: Int) throws(ComputeError) -> Buffer {
    try Buffer(device: self, byteCount: byteCount)
  }

  /// New memory with room for `count` elements; what it holds is undefined.
  public func makeBuffer<Element: BitwiseCopyable>(
    of _: Element.Type, count: Int
  ) throws(ComputeError) -> Buffer {
    try Buffer(device: self, byteCount: count * MemoryLayout<Element>.stride)
  }

  /// New memory that holds a copy of `elements`.
  public func makeBuffer<Element: BitwiseCopyable>(copying elements: [Element]) throws(ComputeError) -> Buffer {
    let buffer = try makeBuffer(of: Element.self, count: elements.count)
    try buffer.write(elements)
    return buffer
  }
}
