import Compute

/// One piece of work that a device can do, and plain Swift too.
struct ComputeTask {
  /// What it is, as in "the sort goes on in plain Swift".
  let name: String
  /// Which kernels it needs.
  let area: ComputeArea
  /// How often its memory can be halved.
  let maximumReduction: Int
  /// How often it is, from an earlier failure on.
  var reduction = 0

  static let vectors = ComputeTask(name: "computing vectors", area: .features, maximumReduction: 5)
  static let sort = ComputeTask(name: "the sort", area: .sorting, maximumReduction: 2)
  static let quality = ComputeTask(name: "measuring the quality", area: .sorting, maximumReduction: 4)
  static let search = ComputeTask(name: "the search", area: .search, maximumReduction: 4)
}

extension ComputeChoice {
  /// Does a task on the first device that can, and in plain Swift where none is left.
  /// - Parameters:
  ///   - note: told about each failure and what is done after it.
  ///   - body: does the task on a device, with its memory halved so many times; called again after a failure.
  ///   - plain: does the task in plain Swift.
  /// - Throws: what they throw, and `EngineError` where no device is left and one was asked for.
  func run<Result>(
    _ task: inout ComputeTask, note: (String) -> Void, on body: (Device, Int) throws -> Result,
    plain: () throws -> Result
  ) throws -> Result {
    while let slot = devices?.firstSlot {
      if let result = try run(&task, slot: slot, note: note, on: body) { return result }
    }
    try devices?.checkPlainSwift()
    return try plain()
  }

  /// Does a task on the device of a slot, or on what takes its place.
  /// - Returns: nil where the slot is closed.
  func run<Result>(
    _ task: inout ComputeTask, slot: Int, note: (String) -> Void, on body: (Device, Int) throws -> Result
  ) throws -> Result? {
    guard let devices else { return nil }
    while let device = try devices.device(slot, for: task.area, note: note) {
      do {
        return try body(device, task.reduction)
      } catch let error as ComputeError {
        let canShrink = task.reduction < task.maximumReduction
        switch try devices.recover(slot, from: error, canShrink: canShrink) {
        case .smaller:
          task.reduction += 1
          // Once tells, however often it is halved.
          if task.reduction == 1 { note("\(task.name) goes on with less memory at a time: \(error)") }
        case .newContext(let isSmaller):
          if isSmaller { task.reduction += 1 }
          note("\(task.name) goes on in a new context of the device: \(error)")
        case .next:
          task.reduction = 0
          note("\(task.name) goes on on another device: \(error)")
        case .closed:
          note("\(task.name) goes on \(devices.names.isEmpty ? "in plain Swift" : "on the other devices"): \(error)")
        }
      }
    }
    return nil
  }
}
