import Compute

/// The network picture by picture, each on one core, as processors like it: `kernels/whole_network.cl`.
struct WholeNetwork: DeviceNetwork {
  private let device: Device
  private let layers: [NetworkLayer]
  private let inputSize: Int
  private let capacity: Int
  /// Pictures that are computed at the same time.
  private let groups: Int
  private let plan: ScratchPlan
  private let begin: Kernel
  private let network: Kernel
  private let scaling: Buffer
  private let weights: Buffer
  private let bias: Buffer
  private let table: Buffer
  private let scratch: Buffer
  /// The number of the next picture.
  private let next: Buffer

  /// - Parameter capacity: pictures of a batch at most.
  init(_ weights: NetworkWeights, device: Device, tuning: KernelTuning, capacity: Int) throws {
    let description = weights.description
    self.device = device
    self.capacity = capacity
    layers = description.layers
    inputSize = description.inputSize
    plan = ScratchPlan(description)
    let fitting = Int(clamping: device.description.maximumAllocationBytes) / plan.byteCount
    groups = max(1, min(device.description.computeUnits, capacity, fitting))
    scratch = try device.makeBuffer(byteCount: groups * plan.byteCount)
    self.weights = try device.makeBuffer(copying: weights.layers.flatMap(\.weights))
    bias = try device.makeBuffer(copying: weights.layers.flatMap(\.bias))
    table = try device.makeBuffer(copying: weights.table)
    scaling = try device.makeBuffer(copying: description.scaling.factorsAndShifts)
    next = try device.makeBuffer(of: Int32.self, count: 1)
    let options = ["-DROWS=\(tuning.rows)", "-DVECTORS=\(tuning.vectors)", "-DCOLUMNS=\(tuning.columns)"]
    let program = try device.program(.embedded("whole_network"), options: options)
    begin = try program.kernel("begin")
    network = try program.kernel("whole_network")
  }

  func enqueue(count: Int, input: Buffer, descriptors: Buffer) throws {
    try enqueue(layers.indices, count: count, input: input, output: descriptors, wanted: .mean)
  }

  func outputs(ofLayer index: Int, count: Int, input: Buffer) throws -> [Float] {
    let values = count * layers[index].outputPixels * layers[index].paddedOutputs
    let output = try device.makeBuffer(of: Float.self, count: values)
    try enqueue(0..<index + 1, count: count, input: input, output: output, wanted: .all)
    return try output.read(Float.self, count: values)
  }

  var isBoundByMemory: Bool { false }

  // One layer of a few pictures takes no longer than a launch. The first one reads a batch, the others only scratch.
  func picturesToMeasure(layer: Int) -> Int { layer == 0 ? capacity : 16 * capacity }

  func enqueue(layer index: Int, input: Buffer) throws {
    try enqueue(
      index..<index + 1, count: picturesToMeasure(layer: index), input: input, output: scratch, wanted: .nothing)
  }

  /// What the kernel writes, as it numbers it.
  private enum Wanted: Int {
    case nothing, mean, all
  }

  private func enqueue(_ range: Range<Int>, count: Int, input: Buffer, output: Buffer, wanted: Wanted) throws {
    try device.enqueue(begin, [.buffer(next)], groups: [1], groupSize: [1])
    try device.enqueue(
      network,
      [
        .buffer(input), .buffer(scaling), .buffer(weights), .buffer(bias), .buffer(table), .buffer(scratch),
        .buffer(output), .buffer(next), .int(count), .int(inputSize), .int(range.lowerBound),
        .int(range.upperBound - 1), .int(plan.bufferVectors), .int(NetworkLayer.bufferCount), .int(plan.vectorCount),
        .int(wanted.rawValue),
      ],
      groups: [min(groups, count)], groupSize: [1])
  }
}

/// The memory of one work group: buffers that activations take turns in, and a row of zeros.
private struct ScratchPlan {
  /// Vectors of a buffer: as many as the largest layer gives, or the scaled picture with its border takes.
  let bufferVectors: Int
  let vectorCount: Int

  var byteCount: Int { vectorCount * MemoryLayout<Vector>.stride }

  init(_ description: NetworkDescription) {
    let side = description.inputSize + 2
    bufferVectors = max(description.activationVectors, padded(side * side * 3) / NetworkLayer.lanes)
    let row = description.layers.map { $0.inputSize * $0.paddedInputs / NetworkLayer.lanes }.max() ?? 0
    vectorCount = NetworkLayer.bufferCount * bufferVectors + row
  }
}

extension NetworkWeights {
  /// `struct layer` of `kernels/whole_network.cl` for each layer.
  fileprivate var table: [Int32] {
    var (firstWeight, firstBias) = (0, 0)
    return zip(description.layers, layers).flatMap { layer, weights -> [Int32] in
      defer {
        firstWeight += weights.weights.count
        firstBias += weights.bias.count
      }
      return [
        layer.operation.number, layer.inputs, layer.paddedInputs / NetworkLayer.lanes,
        layer.paddedOutputs / NetworkLayer.lanes, layer.inputSize, layer.outputSize, layer.stride,
        layer.paddingBefore, layer.isClamped ? 1 : 0, layer.inputBuffer, layer.outputBuffer,
        layer.residualBuffer ?? -1, firstWeight, firstBias,
      ].map(Int32.init)
    }
  }
}

extension NetworkLayer.Operation {
  /// As `kernels/whole_network.cl` numbers them.
  fileprivate var number: Int {
    switch self {
    case .convolution3x3: 0
    case .convolution1x1: 1
    case .depthwise3x3: 2
    }
  }
}
