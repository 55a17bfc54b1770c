import Compute

/// `kernels/appearance.cl`; computes what ``AppearanceVector/bytes(_:size:)`` does, to the bit.
struct AppearanceKernels: Sendable {
  /// Values of a cell, most of which are used.
  private static let cellValues = 32
  private let cellsKernel: Kernel
  private let bytesKernel: Kernel
  private let device: Device
  private let group: Int
  private let linear: Buffer
  private let cells: Buffer

  /// - Parameter capacity: Pictures that may be described at once.
  init(device: Device, tuning: KernelTuning, capacity: Int) throws {
    group = tuning.group
    let program = try device.program(.embedded("appearance"), options: ["-DGROUP=\(group)"])
    cellsKernel = try program.kernel("appearance_cells")
    bytesKernel = try program.kernel("appearance_bytes")
    self.device = device
    linear = try device.makeBuffer(copying: Oklab.linearTable)
    // Zeros from the host, since oclgrind 21.10 knows only of such buffers whether they are initialised.
    cells = try device.makeBuffer(
      copying: [Int32](repeating: 0, count: capacity * AppearanceVector.cellCount * Self.cellValues))
  }

  /// - Parameters:
  ///   - size: Side of a picture in pixels, 32...1024.
  ///   - input: [pictures, size, size, 3] bytes, RGB
  ///   - bytes: [pictures, byteStride]; 50 from `firstByte` on are written.
  func enqueue(pictures: Int, size: Int, input: Buffer, bytes: Buffer, byteStride: Int, firstByte: Int) throws {
    try device.enqueue(
      cellsKernel, [.buffer(input), .buffer(linear), .buffer(cells), .int(size)],
      groups: [AppearanceVector.cellCount / group, pictures], groupSize: [group, 1])
    try device.enqueue(
      bytesKernel,
      [.buffer(cells), .buffer(bytes), .int(byteStride), .int(firstByte)],
      groups: [groupCount(AppearanceVector.count, group), pictures], groupSize: [group, 1])
  }
}
