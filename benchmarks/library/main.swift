import Features
import Foundation
import Imaging
import Library

/// Makes indexes of synthetic pictures, and times what is done with them. Each line that it prints is a stage, its
/// milliseconds, and the process's peak memory in MB.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(2)
}

func timed(_ stage: String, _ body: () throws -> Void) rethrows {
  let start = ContinuousClock.now
  try body()
  let elapsed = (ContinuousClock.now - start).components
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) * 1e-15
  print(String(format: "%@\t%.1f\t%.0f", stage, milliseconds, Double(usage.ru_maxrss) / 1024))
}

/// A hundred pictures a folder, as a scan would find them.
func visit(_ count: Int, found: (ScannedFile) -> Void) {
  for number in 0..<count {
    let path = String(format: "/synthetic/photos/%05d/picture-%08d.jpg", number / 100, number)
    found(
      ScannedFile(
        path: BytePath(path),
        identity: FileIdentity(
          device: 1, inode: UInt64(number + 1), size: Int64(1_000_000 + number), modifiedNanoseconds: Int64(number))))
  }
}

let conditions = LibraryIndex.FailureConditions(program: "", limits: "")

func compare(_ index: LibraryIndex, _ count: Int) throws -> LibraryChanges {
  try index.compare(roots: ["/synthetic/photos"], conditions: conditions) { found in
    visit(count, found: found)
    return ScanSummary()
  }
}

func make(_ path: BytePath, _ count: Int) throws {
  let index = try LibraryIndex(writingTo: path, model: "synthetic")
  var changes = try compare(index, count)
  try index.apply(&changes)
  var random = SystemRandomNumberGenerator()
  var after: Int64 = 0
  while true {
    let files = try index.filesToRead(after: after, limit: 4096)
    guard let last = files.last else { break }
    after = last.number
    let read = files.map { pending in
      let content = NewContent(
        hash: ContentHash(high: random.next(), low: random.next()),
        facts: ContentFacts(format: .jpeg, width: 4000, height: 3000, takenAt: "2021-07-04T12:34:56"),
        vector: (0..<FeatureVectors.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) },
        // Of about the size that thumbnails have.
        thumbnail: [UInt8](repeating: UInt8(truncatingIfNeeded: pending.number), count: 4500),
        halfThumbnail: [UInt8](repeating: UInt8(truncatingIfNeeded: pending.number), count: 1700))
      return ReadFile(number: pending.number, file: pending.file, outcome: .picture(content))
    }
    try index.record(read, in: &changes)
  }
  index.close()
}

/// Small PNG files, all different, 500 a folder.
func makePictures(in folder: String, _ count: Int) throws {
  let side = 16
  for number in 0..<count {
    let place = "\(folder)/\(number / 500)"
    if number % 500 == 0 { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
    var pixels = [UInt8](repeating: 0, count: side * side * 3)
    for y in 0..<side {
      for x in 0..<side {
        for channel in 0..<3 {
          let corner = (x / 8 + y / 8 * 2) * 3 + channel
          pixels[(y * side + x) * 3 + channel] = UInt8(truncatingIfNeeded: number &* (corner * 37 + 11) >> (corner % 5))
        }
      }
    }
    try PNGWriter.write(RGBImage(width: side, height: side, pixels: pixels), to: BytePath("\(place)/\(number).png"))
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
  fail("usage: library-benchmark make|use|pictures PATH COUNT")
}
let path = BytePath(arguments[2])
switch arguments[1] {
case "make": try timed("make") { try make(path, count) }
case "pictures": try makePictures(in: arguments[2], count)
case "use":
  var index: LibraryIndex?
  try timed("open") { index = try LibraryIndex(reading: path) }
  try timed("status") { _ = try index!.status() }
  try timed("compare") {
    guard try compare(index!, count).isEmpty else { fail("the library isn't what it was") }
  }
  try timed("read all") {
    guard try index!.presentPictures().vectors.count == count else { fail("pictures are missing") }
  }
default: fail("make, use or pictures?")
}
