/// Activations are read and written as vectors of sixteen channels.
typealias Vector = SIMD16<Float>

extension SIMD16<Float> {
  /// Each lane clamped to 0...6. By masks, since `clamped` works lane by lane.
  @inline(__always)
  var relu6: Self {
    let positive = replacing(with: Self(), where: self .< Self())
    return positive.replacing(with: Self(repeating: 6), where: positive .> Self(repeating: 6))
  }
}
