import Testing

@testable import Features

struct ProjectionFitTests {
  @Test func basisSpansTheDirectionsOfLargestVariance() {
    // Values 3, 6, 9, ... vary, the others hardly do.
    let (width, count) = (192, 600)
    let randoms = randomFloats(count * width, seed: 1)
    let descriptors = randoms.enumerated().map { 10 + $0.element * ($0.offset % width % 3 == 0 ? 1 : 0.01) }
    let projection = Projection(fitting: descriptors, inputCount: width)
    for row in 0..<64 {
      let component = projection.components[row * width..<(row + 1) * width]
      let squares = component.map { $0 * $0 }
      #expect(abs(squares.reduce(0, +) - 1) < 1e-4)
      let inside = squares.enumerated().reduce(Float(0)) { $1.offset % 3 == 0 ? $0 + $1.element : $0 }
      #expect(inside > 0.9)
    }
    for row in 1..<64 {
      let product = (0..<width).reduce(Float(0)) {
        $0 + projection.components[$1] * projection.components[row * width + $1]
      }
      #expect(abs(product) < 1e-4)
    }
  }

  @Test func descriptorsOfFewDimensionsHaveNoMoreComponents() {
    let descriptors = (0..<100).flatMap { row in
      (0..<80).map { Float($0 == row % 3 ? 1 : 0) }
    }
    let projection = Projection(fitting: descriptors, inputCount: 80)
    let lengths = (0..<64).map { row in projection.components[row * 80..<(row + 1) * 80].reduce(0) { $0 + $1 * $1 } }
    #expect(lengths.count { abs($0 - 1) < 1e-4 } == 2)
    #expect(lengths.count { $0 == 0 } == 62)
  }

  @Test func sameDescriptorsGiveTheSameBasis() {
    let descriptors = randomFloats(70 * 64, seed: 3).map { abs($0) }
    #expect(Projection(fitting: descriptors, inputCount: 64) == Projection(fitting: descriptors, inputCount: 64))
  }

  @Test func firstValuesAreKept() {
    let descriptor = (0..<70).map { Float($0) }
    let unit = descriptor.withUnsafeBufferPointer { Projection(keepingFirstOf: 70).unitVector($0) }
    #expect(unit[0] == 0)
    #expect(abs(unit[63] / unit[21] - 3) < 1e-5)
  }
}
