import Compute
import Dispatch
import Synchronization

/// What plain Swift can do at best on some threads: only reading memory, or only multiplying and adding.
struct PlainPeak {
  let threads: Int
  let bytes: Int

  private static let steps = 1_000_000
  /// Sums that don't wait for each other, as many as registers of the least that a processor has.
  private static let chains = 8

  func operations() -> [BenchmarkOperation] {
    let vectors = bytes / 64 / threads
    let memory = [SIMD16<Float>](repeating: SIMD16(repeating: 1), count: vectors * threads)
    let arithmetic = threads * Self.steps * Self.chains * 4 * 2
    return [
      BenchmarkOperation(
        stage: "peak", detail: "memory", unit: "bytes", items: vectors * threads * 64,
        run: {
          memory.withUnsafeBufferPointer { memory in
            nonisolated(unsafe) let memory = memory
            onThreads { thread in
              var (a, b) = (SIMD16<Float>(), SIMD16<Float>())
              let part = memory.extracting(thread * vectors..<(thread + 1) * vectors)
              for index in stride(from: 0, to: part.count - 1, by: 2) {
                a += part[index]
                b += part[index + 1]
              }
              return (a + b).sum()
            }
          }
        }),
      BenchmarkOperation(
        stage: "peak", detail: "float", unit: "operations", items: arithmetic,
        run: { onThreads { floatChains(from: Float($0), steps: Self.steps) } }),
      BenchmarkOperation(
        stage: "peak", detail: "integer", unit: "operations", items: arithmetic,
        run: { onThreads { Float(integerChains(from: Int32($0), steps: Self.steps)) } }),
    ]
  }

  /// Runs `body` on each thread, and uses what it returns, so that the compiler can't leave out how that came about.
  private func onThreads(_ body: @Sendable (Int) -> Float) {
    let results = Mutex<[Float]>([])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let result = body(thread)
      results.withLock { $0.append(result) }
    }
    precondition(results.withLock { $0.count } == threads && !results.withLock { $0.contains(.infinity) })
  }
}

/// A number that the compiler doesn't know, so that it can't do the arithmetic itself.
@inline(never)
@_optimize(none)
private func unknown<Value>(_ value: Value) -> Value { value }

/// s = s * factor + addend, four floats at a time.
private func floatChains(from start: Float, steps: Int) -> Float {
  let (factor, addend) = (SIMD4(repeating: unknown(0.999 as Float)), SIMD4(repeating: unknown(0.001 as Float)))
  var a = SIMD4(repeating: start)
  var (b, c, d, e, f, g, h) = (a, a, a, a, a, a, a)
  for _ in 0..<steps {
    a = a * factor + addend
    b = b * factor + addend
    c = c * factor + addend
    d = d * factor + addend
    e = e * factor + addend
    f = f * factor + addend
    g = g * factor + addend
    h = h * factor + addend
  }
  return (a + b + c + d + (e + f + g + h)).sum()
}

/// The same with whole numbers.
private func integerChains(from start: Int32, steps: Int) -> Int32 {
  let (factor, addend) = (SIMD4(repeating: unknown(3 as Int32)), SIMD4(repeating: unknown(1 as Int32)))
  var a = SIMD4(repeating: start)
  var (b, c, d, e, f, g, h) = (a, a, a, a, a, a, a)
  for _ in 0..<steps {
    a = a &* factor &+ addend
    b = b &* factor &+ addend
    c = c &* factor &+ addend
    d = d &* factor &+ addend
    e = e &* factor &+ addend
    f = f &* factor &+ addend
    g = g &* factor &+ addend
    h = h &* factor &+ addend
  }
  return (a &+ b &+ c &+ d &+ (e &+ f &+ g &+ h)).wrappedSum()
}
