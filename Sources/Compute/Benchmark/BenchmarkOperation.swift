/// Something whose speed is measured: a kernel, a layer, a whole job. Each module states its own.
public struct BenchmarkOperation {
  /// What it is part of: `network`, `filter`, `sort`.
  public let stage: String
  /// Which of them: a layer, a size; empty where there is only one.
  public let detail: String
  /// What it does so many of.
  public let unit: String
  /// How many of them one run does.
  public let items: Int
  /// Multiplications and additions of floats in one run, where that is what takes the time; 0 where it isn't counted.
  public let floatOperations: Double
  /// The same of whole numbers.
  public let integerOperations: Double
  /// Bytes that one run must read and write at least; 0 where that isn't counted.
  public let bytes: Double
  /// Whether runs may follow each other before `finish`, which short ones should.
  public let isRepeatable: Bool
  /// Does it once; on a device it may only enqueue.
  public let run: () throws -> Void
  /// Waits for what has been enqueued.
  public let finish: () throws -> Void

  /// An operation.
  public init(
    stage: String, detail: String = "", unit: String, items: Int, floatOperations: Double = 0,
    integerOperations: Double = 0, bytes: Double = 0, isRepeatable: Bool = true, run: @escaping () throws -> Void,
    finish: @escaping () throws -> Void = {}
  ) {
    self.stage = stage
    self.detail = detail
    self.unit = unit
    self.items = items
    self.floatOperations = floatOperations
    self.integerOperations = integerOperations
    self.bytes = bytes
    self.isRepeatable = isRepeatable
    self.run = run
    self.finish = finish
  }
}
