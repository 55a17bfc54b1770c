/// The median squared distance between vectors, over all pairs or, where there are more than ten thousand, a sample
/// of that size that is the same in each run.
///
/// - Parameter vectors: [count, dimensions]
/// - Returns: 0 for fewer than two vectors.
func medianSquaredDistance(_ vectors: [UInt8], dimensions: Int) -> Double {
  let count = vectors.count / dimensions
  guard count > 1 else { return 0 }
  let sampleSize = 10_000
  var distances: [Int] = []
  if count * (count - 1) / 2 <= sampleSize {
    for first in 0..<count {
      for second in 0..<first { distances.append(squaredDistance(vectors, first, second, dimensions)) }
    }
  } else {
    var generator = SplitMix64(state: 1)
    while distances.count < sampleSize {
      let first = Int.random(in: 0..<count, using: &generator)
      let second = Int.random(in: 0..<count, using: &generator)
      if first != second { distances.append(squaredDistance(vectors, first, second, dimensions)) }
    }
  }
  distances.sort()
  return Double(distances[distances.count / 2])
}

private func squaredDistance(_ vectors: [UInt8], _ first: Int, _ second: Int, _ dimensions: Int) -> Int {
  (0..<dimensions).reduce(0) { sum, dimension in
    let difference = Int(vectors[first * dimensions + dimension]) - Int(vectors[second * dimensions + dimension])
    return sum + difference * difference
  }
}
