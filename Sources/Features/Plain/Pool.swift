/// The mean over all pixels of each channel (global average).
///
/// - Parameters:
///   - input: [pixels, channels padded to a multiple of 16]
///   - output: [channels]
func averagePool(_ input: UnsafePointer<Vector>, pixels: Int, channels: Int, output: UnsafeMutablePointer<Float>) {
  let tiles = padded(channels) / NetworkLayer.lanes
  for tile in 0..<tiles {
    var sum = Vector()
    for pixel in 0..<pixels { sum += input[pixel * tiles + tile] }
    let mean = sum / Float(pixels)
    let first = tile * NetworkLayer.lanes
    for lane in 0..<min(NetworkLayer.lanes, channels - first) { output[first + lane] = mean[lane] }
  }
}
