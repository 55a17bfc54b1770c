/// A known answer: whether a kernel computes on a device what its definition in Swift does.
public struct SelfTest: Sendable {
  /// The file of the kernel.
  public let source: KernelSource
  /// Whether the answer is right.
  package let isRight: @Sendable (Device) throws -> Bool

  /// - Parameters:
  ///   - kernel: the name of its file.
  ///   - isRight: computes something small and compares; the device is used for nothing else.
  public init(_ kernel: String, isRight: @escaping @Sendable (Device) throws -> Bool) {
    source = .embedded(kernel)
    self.isRight = isRight
  }
}

/// The self-tests of all kernels that some work needs.
public struct SelfTestSuite: Sendable {
  /// What the work is called.
  public let name: String
  /// How the kernels are built, where that may change without their sources.
  let variant: String
  package let tests: [SelfTest]

  /// - Parameter variant: tells one way of building the kernels from another.
  public init(_ name: String, variant: String = "", _ tests: [SelfTest]) {
    (self.name, self.variant, self.tests) = (name, variant, tests)
  }
}

extension SelfTestSuite {
  /// Runs the tests, or remembers what came of them: they are run once for each device, driver version and kernel.
  /// - Parameters:
  ///   - injector: makes them fail, in tests; nothing is remembered then.
  /// - Throws: `ComputeError.wrongResult` for the first kernel that is wrong, or why one couldn't be run.
  public func check(
    _ description: DeviceDescription, of runtime: OpenCLRuntime, injector: FaultInjector?
  ) throws(ComputeError) {
    if let injector, !injector.touchesSelfTests { return }
    if injector == nil, let verdict = remembered(description) { return try verdict.get(on: description) }
    let verdict = try run(on: runtime.makeDevice(description, injector: injector, isForSelfTest: true))
    if injector == nil { BinaryCache.standard.store(Array(verdict.text.utf8), for: key(description)) }
    try verdict.get(on: description)
  }

  /// What came of the tests; nil where they haven't been run.
  public func remembered(_ description: DeviceDescription) -> SelfTestVerdict? {
    BinaryCache.standard.load(key(description)).map { SelfTestVerdict(text: String(decoding: $0, as: UTF8.self)) }
  }

  private func run(on device: Device) throws(ComputeError) -> SelfTestVerdict {
    for test in tests {
      do {
        if try !test.isRight(device) { return .wrong(kernel: test.source.name) }
      } catch let error as ComputeError {
        throw error
      } catch {
        return .wrong(kernel: test.source.name)
      }
    }
    return .passed
  }

  private func key(_ description: DeviceDescription) -> String {
    var parts = [description.id, description.platform, description.name, description.version, description.driver]
    parts += [name, variant] + tests.map(\.source.text)
    return "selftest-\(name)-\(FNV1a.hash(Array(parts.joined(separator: "\0").utf8))).bin"
  }
}

/// What came of self-tests.
public enum SelfTestVerdict: Sendable, Equatable {
  /// All kernels are right.
  case passed
  /// A kernel isn't.
  case wrong(kernel: String)

  fileprivate init(text: String) {
    self = text == Self.passed.text ? .passed : .wrong(kernel: text)
  }

  fileprivate var text: String {
    switch self {
    case .passed: "passed"
    case .wrong(let kernel): kernel
    }
  }

  fileprivate func get(on description: DeviceDescription) throws(ComputeError) {
    if case .wrong(let kernel) = self { throw .wrongResult(kernel: kernel, device: description.name) }
  }
}
