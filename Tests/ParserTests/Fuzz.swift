// The entry points that libFuzzer calls: see scripts/fuzz.
import Foundation

/// The parser that the environment names; without one, all are listed.
private let parser: Parser = {
  let name = ProcessInfo.processInfo.environment["KIANO_FUZZ_PARSER"] ?? ""
  guard let parser = Parser.all.first(where: { $0.name == name }) else {
    print(Parser.all.map(\.name).joined(separator: "\n"))
    exit(0)
  }
  return parser
}()

/// Writes the samples into the folder that the environment names, for libFuzzer to begin with.
@_cdecl("LLVMFuzzerInitialize")
func initialise(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
  let folder = ProcessInfo.processInfo.environment["KIANO_FUZZ_SAMPLES"] ?? ""
  for (index, sample) in parser.samples.enumerated() {
    try? Data(sample).write(to: URL(fileURLWithPath: "\(folder)/\(index)"))
  }
  return 0
}

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  parser.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
