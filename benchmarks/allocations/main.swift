// How often decoding asks for memory once everything has grown to its size: allocation-count FOLDER [PROGRAM]
import CAllocations
import Imaging
import Library

guard CommandLine.arguments.count > 1 else { fatalError("usage: allocation-count FOLDER [PROGRAM]") }
let files = try LibraryScanner().scan([BytePath(CommandLine.arguments[1])]).files.map(\.path)
let isolation = CommandLine.arguments.count > 2 ? DecoderIsolation(program: BytePath(CommandLine.arguments[2])) : nil

// The same files twice; what the second half takes is the steady state. One thread, so that no picture of the one half
// is decoded while those of the other are counted.
var counts: [kiano_allocations] = []
ParallelDecoder(isolation: isolation, threadCount: 1, window: 1).decode(files + files) { index, _ in
  if index == files.count - 1 || index == files.count * 2 - 1 { counts.append(kiano_allocations_count()) }
}
print("pictures\t\(files.count)")
print("own\t\(counts[1].own - counts[0].own)")
print("libraries\t\(counts[1].libraries - counts[0].libraries)")
