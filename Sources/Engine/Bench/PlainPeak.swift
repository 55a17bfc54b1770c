import Compute
import Dispatch
import Synchronization

/// What plain Swift can do at best on some threads: only reading memory, or only multiplying and adding.
struct PlainPeak {
  let threads: Int
  let bytes: Int

  private static let steps = 400_000
  private static let chains = 2

  func operations() -> [BenchmarkOperation] {
    let vectors = bytes / 64 / threads
    let memory = [SIMD16<Float>](repeating: SIMD16(repeating: 1), count: vectors * threads)
    let arithmetic = threads * Self.steps * Self.chains * 16 * 2
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
        run: {
          onThreads { thread in
            var (a, b) = (SIMD16(repeating: Float(thread)), SIMD16(repeating: Float(1)))
            let (factor, addend) = (SIMD16(repeating: unknown(Float(0.999))), SIMD16(repeating: unknown(Float(0.001))))
            for _ in 0..<Self.steps {
              a = a * factor + addend
              b = b * factor + addend
            }
            return (a + b).sum()
          }
        }),
      BenchmarkOperation(
        stage: "peak", detail: "integer", unit: "operations", items: arithmetic,
        run: {
          onThreads { thread in
            var (a, b) = (SIMD16(repeating: Int32(thread)), SIMD16(repeating: Int32(1)))
            let (factor, addend) = (SIMD16(repeating: unknown(Int32(3))), SIMD16(repeating: unknown(Int32(1))))
            for _ in 0..<Self.steps {
              a = a &* factor &+ addend
              b = b &* factor &+ addend
            }
            return Float((a &+ b).wrappedSum())
          }
        }),
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
