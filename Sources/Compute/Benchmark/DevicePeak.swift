/// The kernels that measure what a device can do at best (`kernels/peak.cl`).
public struct DevicePeak {
  private let device: Device
  private let group: Int
  private let items: Int
  private let chains: Int
  private let program: Program
  private let memory: Buffer
  private let sums: Buffer
  private let perItem: Int

  /// - Parameter bytes: how much memory is read; several times what caches hold.
  /// - Throws: `ComputeError` where the device has less, or a kernel doesn't build.
  public init(device: Device, bytes: Int = 256 << 20) throws(ComputeError) {
    self.device = device
    let isProcessor = device.description.kind == .cpu
    group = isProcessor ? 1 : 64
    items = device.description.computeUnits * (isProcessor ? 4 : 1024)
    chains = isProcessor ? 8 : 4
    let size = min(bytes, Int(clamping: device.description.maximumAllocationBytes))
    perItem = max(4, size / 64 / items / 4 * 4)
    program = try device.program(
      .embedded("peak"), options: ["-DGROUP=\(group)", "-DCHAINS=\(chains)", "-DADJACENT=\(isProcessor ? 0 : 1)"])
    memory = try device.makeBuffer(copying: [Float](repeating: 1, count: perItem * items * 16))
    sums = try device.makeBuffer(of: SIMD16<Float>.self, count: items)
  }

  /// Reading memory, and arithmetic on floats and on whole numbers.
  public func operations() throws(ComputeError) -> [BenchmarkOperation] {
    let bytes = Double(perItem * items * 64)
    let steps = device.description.kind == .cpu ? 200_000 : 4096
    let arithmetic = Double(items * chains * steps * 16 * 2)
    let (read, floats) = (try program.kernel("sum_of_memory"), try program.kernel("float_rate"))
    let integers = try program.kernel("integer_rate")
    func operation(
      _ detail: String, floats: Double = 0, integers: Double = 0, bytes: Double = 0, _ kernel: Kernel,
      _ arguments: [KernelArgument]
    ) -> BenchmarkOperation {
      BenchmarkOperation(
        stage: "peak", detail: detail, unit: bytes > 0 ? "bytes" : "operations", items: Int(floats + integers + bytes),
        floatOperations: floats, integerOperations: integers, bytes: bytes,
        run: { [device, items, group] in
          try device.enqueue(kernel, arguments, groups: [items / group], groupSize: [group])
        }, finish: { [device] in try device.finish() })
    }
    return [
      operation("memory", bytes: bytes, read, [.buffer(memory), .buffer(sums), .int(Int32(perItem))]),
      operation(
        "float", floats: arithmetic, floats, [.buffer(sums), .float(0.999), .float(0.001), .int(Int32(steps))]),
      operation("integer", integers: arithmetic, integers, [.buffer(sums), .int(3), .int(1), .int(Int32(steps))]),
    ]
  }
}
