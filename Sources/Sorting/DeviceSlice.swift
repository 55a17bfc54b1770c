import Compute

/// The buffers of some of the dimensions of a sort. A device's largest buffer may be as small as a quarter of its memory,
/// so there are as many slices as that takes, up to four.
struct DeviceSlice {
  /// As many as the assignment kernels have arguments for.
  static let maximumCount = 4

  /// Which chunks of dimensions.
  let chunks: Range<Int>
  /// Dimensions of a vector in `vectors`: the same in all slices, though the last one may need fewer.
  let width: Int
  /// `[count + 1][width]`; the last vector is a hole's, zero.
  let vectors: Buffer
  /// The same as the filters read them, `[chunks][count + 1][chunk]`.
  let chunkedVectors: Buffer
  /// 16 times the filtered map, `[chunks][cellCount][chunk]`.
  let filtered: Buffer
  /// `[chunks][chunk]`.
  let fallback: Buffer

  /// The slices of all dimensions, whose buffers have at most `limit` bytes if four slices are enough for that.
  static func slices(of plan: SortingPlan, limit: Int, device: Device) throws(ComputeError) -> [DeviceSlice] {
    let chunks = plan.dimensions / plan.chunk
    let size = max((chunks + maximumCount - 1) / maximumCount, min(chunks, limit / plan.chunkBytes))
    var slices: [DeviceSlice] = []
    for first in stride(from: 0, to: chunks, by: size) {
      let range = first..<min(first + size, chunks)
      slices.append(try DeviceSlice(plan: plan, chunks: range, width: size * plan.chunk, device: device))
    }
    return slices
  }

  private init(plan: SortingPlan, chunks: Range<Int>, width: Int, device: Device) throws(ComputeError) {
    (self.chunks, self.width) = (chunks, width)
    let dimensions = (chunks.lowerBound * plan.chunk)..<(chunks.upperBound * plan.chunk)
    vectors = try device.makeBuffer(copying: plan.paddedVectors(dimensions, width: width))
    chunkedVectors = try device.makeBuffer(copying: plan.chunkedVectors(dimensions))
    filtered = try device.makeBuffer(of: UInt16.self, count: plan.grid.cellCount * dimensions.count)
    fallback = try device.makeBuffer(copying: Array(plan.fallback[dimensions]))
  }
}

extension SortingPlan {
  /// Bytes of the largest buffer of one chunk.
  fileprivate var chunkBytes: Int { max(grid.cellCount * 2, vectors.count + 1) * chunk }

  /// Bytes of the largest buffer where all dimensions are one slice.
  var sliceBytes: Int { dimensions / chunk * chunkBytes }

  /// `[count + 1][width]`; the last vector is a hole's, zero.
  fileprivate func paddedVectors(_ wanted: Range<Int>, width: Int) -> [UInt8] {
    var padded = [UInt8](repeating: 0, count: (vectors.count + 1) * width)
    let end = min(wanted.upperBound, vectors.dimensions)
    padded.withUnsafeMutableBufferPointer { padded in
      vectors.bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<vectors.count {
          for d in wanted.lowerBound..<end {
            padded[index * width + d - wanted.lowerBound] = bytes[index * vectors.dimensions + d]
          }
        }
      }
    }
    return padded
  }

  /// `[chunks][count + 1][chunk]`.
  fileprivate func chunkedVectors(_ wanted: Range<Int>) -> [UInt8] {
    var chunked = [UInt8](repeating: 0, count: (vectors.count + 1) * wanted.count)
    let end = min(wanted.upperBound, vectors.dimensions)
    chunked.withUnsafeMutableBufferPointer { chunked in
      vectors.bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<vectors.count {
          for d in wanted.lowerBound..<end {
            let place = (d - wanted.lowerBound) / chunk * (vectors.count + 1) + index
            chunked[place * chunk + d % chunk] = bytes[index * vectors.dimensions + d]
          }
        }
      }
    }
    return chunked
  }
}
