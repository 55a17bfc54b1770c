import Testing

@testable import Sorting

struct AssignmentTests {
  @Test func solutionIsTheBestOfAllPermutations() {
    var random = TestRandom(seed: 11)
    for trial in 0..<400 {
      let count = 1 + trial % 7
      let problem = AssignmentProblem(size: 16)
      // Few distinct values, so that ties are common.
      let range: ClosedRange<Int32> = trial % 2 == 0 ? 0...5 : 0...1_000_000
      for a in 0..<count {
        let row = (0..<count).map { _ in Int32.random(in: range, using: &random) }
        for b in 0..<count { problem.costs[a * 16 + b] = row[b] - row.min()! }
      }
      problem.solve(count: count)
      let owners = (0..<count).map { problem.owner[$0] }
      #expect(owners.sorted() == Array(0..<count))
      let cost = (0..<count).reduce(0) { $0 + Int(problem.costs[owners[$1] * 16 + $1]) }
      #expect(cost == leastCost(problem, count: count))
    }
  }

  private func leastCost(_ problem: AssignmentProblem, count: Int) -> Int {
    func best(_ cell: Int, _ used: Int) -> Int {
      if cell == count { return 0 }
      return (0..<count).filter { used & 1 << $0 == 0 }
        .map { Int(problem.costs[$0 * 16 + cell]) + best(cell + 1, used | 1 << $0) }.min()!
    }
    return best(0, 0)
  }
}
