import Testing

@Suite("Parsers written by hand")
struct MutationTests {
  /// A parser that reads past an end, or computes past a number's, ends the process that runs the tests.
  @Test("take 100,000 damaged inputs each without harm", arguments: Parser.all)
  func mutations(_ parser: Parser) {
    var mutator = Mutator(seed: 1)
    for sample in parser.samples {
      for count in 0...sample.count { parser.run(Array(sample.prefix(count))) }
    }
    for _ in 0..<100_000 { parser.run(mutator.next(parser.samples)) }
  }
}
