import Compute
import Features
import Foundation
import Imaging

/// Batches of pictures on their way through the devices: each device takes the next one when it is free, and the vectors
/// come back in the order in which the pictures went in.
final class ExtractionQueue {
  private let shared: SharedBatches
  private let compute: ComputeChoice
  private let note: (String) -> Void
  private var submitted = 0
  private var taken = 0
  private var threadCount = 0

  /// - Parameter note: told about failures of devices, on the thread that takes the vectors.
  init(model: ContentModel, compute: ComputeChoice, note: @escaping (String) -> Void) {
    self.compute = compute
    self.note = note
    shared = SharedBatches(model: model, compute: compute)
  }

  deinit { shared.stop() }

  /// How many batches should be on their way: one being computed on each device, and one waiting for each.
  var wantedCount: Int { 2 * max(1, compute.devices?.slotCount ?? 1) }

  /// Batches whose vectors weren't taken yet.
  var count: Int { submitted - taken }

  /// Hands over pictures, one after the other in `inputs`.
  func submit(_ inputs: [UInt8]) {
    shared.append(inputs, number: submitted)
    submitted += 1
    let slots = max(1, compute.devices?.slotCount ?? 1)
    while threadCount < min(slots, count) {
      let slot = threadCount
      shared.begin()
      guard WorkerThread.start({ [shared] in shared.work(slot: slot) }) else { return shared.end() }
      threadCount += 1
    }
  }

  /// The vectors of the batch that was handed over first; waits for them.
  func takeFirst() throws -> FeatureVectors {
    let (result, notes) = shared.result(taken)
    notes.forEach(note)
    taken += 1
    return try result.get()
  }
}

/// What the threads share.
private final class SharedBatches: @unchecked Sendable {
  // Unchecked: everything that changes is behind `condition`.
  private let model: ContentModel
  private let compute: ComputeChoice
  private let condition = NSCondition()
  private var waiting: [(number: Int, inputs: [UInt8])] = []
  private var results: [Int: Result<FeatureVectors, any Error>] = [:]
  private var notes: [String] = []
  private var workers = 0
  private var isStopped = false

  init(model: ContentModel, compute: ComputeChoice) {
    self.model = model
    self.compute = compute
  }

  func append(_ inputs: [UInt8], number: Int) {
    condition.withLock { waiting.append((number, inputs)) }
    condition.broadcast()
  }

  func begin() { condition.withLock { workers += 1 } }

  func end() {
    condition.withLock { workers -= 1 }
    condition.broadcast()
  }

  func stop() {
    condition.withLock { isStopped = true }
    condition.broadcast()
  }

  /// Waits for a result, and computes it here where no thread does.
  func result(_ number: Int) -> (Result<FeatureVectors, any Error>, notes: [String]) {
    condition.lock()
    while results[number] == nil, workers > 0 { condition.wait() }
    if results[number] == nil {
      condition.unlock()
      var extraction = Extraction(model: model, compute: compute)
      while let batch = next(waits: false) {
        keep(batch.number, Result { try extraction.vectors(batch.inputs) { self.keep($0) } })
      }
      condition.lock()
    }
    defer { condition.unlock() }
    defer { notes.removeAll() }
    return (results.removeValue(forKey: number)!, notes)
  }

  /// Computes batches until there are no more to come, or the slot is closed and another is not.
  func work(slot: Int) {
    defer { end() }
    var extraction = Extraction(model: model, compute: compute)
    while let batch = next(waits: true) {
      let result = Result { try extraction.vectors(batch.inputs, slot: slot) { self.keep($0) } }
      if case .success(nil) = result {
        if compute.devices?.firstSlot != nil {
          condition.withLock { waiting.insert(batch, at: 0) }
          return
        }
        keep(batch.number, Result { try extraction.plainVectors(batch.inputs) })
      } else {
        keep(batch.number, result.map { $0! })
      }
    }
  }

  private func next(waits: Bool) -> (number: Int, inputs: [UInt8])? {
    condition.withLock {
      while waiting.isEmpty, waits, !isStopped { condition.wait() }
      return waiting.isEmpty || isStopped ? nil : waiting.removeFirst()
    }
  }

  private func keep(_ number: Int, _ result: Result<FeatureVectors, any Error>) {
    condition.withLock { results[number] = result }
    condition.broadcast()
  }

  private func keep(_ line: String) {
    condition.withLock { notes.append(line) }
  }
}
