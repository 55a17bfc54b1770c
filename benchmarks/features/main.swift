import Compute
import Foundation
import Imaging

@testable import Features

// Runs the network over pictures, each time for a line on standard input, so that another program can be timed in turn:
// features-benchmark MODEL.safetensors PICTURES.npy DESCRIPTORS.npy DEVICE BATCH
//   MODEL       as 'kiano-gpu model import' installs it, or "kiano"
//   PICTURES    uint8 [count, size, size, 3]
//   DESCRIPTORS where float32 [count, outputs] of the first run go
//   DEVICE      opencl, swift (on all cores) or swift1 (on one); appearance writes uint8 [count, 50] instead, and ends
// Prints the seconds of each run, its processor time, and how many pictures it was.
let arguments = CommandLine.arguments
guard arguments.count == 6, let batch = Int(arguments[5]) else {
  FileHandle.standardError.write(
    Data("usage: features-benchmark MODEL.safetensors PICTURES.npy DESCRIPTORS.npy opencl|swift|swift1 BATCH\n".utf8))
  exit(2)
}

/// Says a line at once, whatever standard output is.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

let network = arguments[1] == "kiano" ? .kiano : try NetworkModel(name: "m", file: bytes(arguments[1]))
let content = network.contentModelForDescriptors
let pictures = try NPYArray(parsing: bytes(arguments[2]), name: arguments[2]).bytes
if arguments[4] == "appearance" {
  let (size, count) = (128, AppearanceVector.count)
  let vectors = pictures.withUnsafeBufferPointer { pictures in
    stride(from: 0, to: pictures.count, by: size * size * 3).flatMap {
      AppearanceVector.bytes(pictures.baseAddress! + $0, size: size)
    }
  }
  let array = NPYArray(shape: [vectors.count / count, count], vectors)
  try Data(array.encoded()).write(to: URL(fileURLWithPath: arguments[3]))
  exit(0)
}
let extractor: any FeatureExtractor
switch arguments[4] {
case "opencl":
  extractor = try OpenCLFeatureExtractor(
    model: content, device: DeviceSelection("auto").open { _ in }!, batchSize: batch)
case "swift": extractor = SwiftFeatureExtractor(model: content, threadCount: AvailableProcessors.count)
default: extractor = SwiftFeatureExtractor(model: content, threadCount: 1)
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// All pictures; the descriptors of a batch are read back, as they are when a library is read.
func run() throws -> [Float] {
  try pictures.withUnsafeBufferPointer { try extractor.descriptors($0) }
}

let descriptors = try run()
let shape = [descriptors.count / network.description.outputCount, network.description.outputCount]
try Data(NPYArray(shape: shape, descriptors).encoded()).write(to: URL(fileURLWithPath: arguments[3]))
say("ready \(network.description.multiplyAdds)")
while readLine() != nil {
  let (start, processor) = (ContinuousClock.now, processorSeconds())
  _ = try run()
  let elapsed = ContinuousClock.now - start
  let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
  say("\(seconds) \(processorSeconds() - processor) \(shape[0])")
}
