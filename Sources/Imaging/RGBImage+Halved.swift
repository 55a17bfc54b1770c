extension RGBImage {
  /// The picture at half the size: each pixel the rounded mean of four.
  /// - Precondition: the sides are even.
  public func halved() -> RGBImage {
    precondition(width.isMultiple(of: 2) && height.isMultiple(of: 2))
    let (stride, halfWidth) = (width * 3, width / 2)
    return RGBImage(
      width: halfWidth, height: height / 2,
      pixels: [UInt8](unsafeUninitializedCapacity: halfWidth * (height / 2) * 3) { target, filled in
        pixels.withUnsafeBufferPointer { source in
          for row in 0..<height / 2 {
            let upper = source.baseAddress! + 2 * row * stride
            let lower = upper + stride
            let output = target.baseAddress! + row * halfWidth * 3
            for x in 0..<halfWidth {
              for channel in 0..<3 {
                let left = 6 * x + channel
                let sum =
                  UInt16(upper[left]) + UInt16(upper[left + 3]) + UInt16(lower[left]) + UInt16(lower[left + 3])
                output[3 * x + channel] = UInt8((sum + 2) >> 2)
              }
            }
          }
        }
        filled = halfWidth * (height / 2) * 3
      })
  }
}
