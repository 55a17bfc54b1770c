import Compute
import Dispatch
import Features
import Foundation
import Imaging
import Library

/// Times searches among the vectors of a file, rows of 114 bytes, beside a plain read of as many bytes. Prints one JSON
/// document: seconds, the least of some runs, and what the first queries found.
///
///     search-benchmark nearest VECTORS QUERIES THREADS DEVICE
///     search-benchmark index VECTORS INDEX
///
/// The second makes an index of synthetic pictures with these vectors, for the program's own searches.

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(2)
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let elapsed = (ContinuousClock.now - start).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
}

/// The least and the median of several runs.
struct Times: Encodable {
  let least: Double
  let median: Double

  init(_ count: Int, _ body: () throws -> Void) rethrows {
    let all = try (0..<count).map { _ in
      // Where others use the machine too, who has slept is let in at once.
      usleep(20_000)
      return try seconds(body)
    }.sorted()
    (least, median) = (all[0], all[all.count / 2])
  }
}

func read(_ path: String) throws -> FeatureVectors {
  let rows = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  let count = rows.count / FeatureVectors.byteCount
  let (first, second) = (64, FeatureVectors.byteCount - 64)
  var content = [UInt8](repeating: 0, count: count * first)
  var appearance = [UInt8](repeating: 0, count: count * second)
  for row in 0..<count {
    let start = row * FeatureVectors.byteCount
    for d in 0..<first { content[row * first + d] = rows[start + d] }
    for d in 0..<second { appearance[row * second + d] = rows[start + first + d] }
  }
  return FeatureVectors(content: content, appearance: appearance)
}

/// Reads as many bytes as there are in vectors on some threads, and does next to nothing with them.
func streamingRead(byteCount: Int, threads: Int) -> Times {
  let count = byteCount / 64
  let memory = UnsafeMutablePointer<SIMD8<UInt64>>.allocate(capacity: count)
  for index in 0..<count { memory[index] = SIMD8(repeating: UInt64(index)) }
  defer { memory.deallocate() }
  nonisolated(unsafe) let source = memory
  let sums = UnsafeMutablePointer<UInt64>.allocate(capacity: threads)
  defer { sums.deallocate() }
  nonisolated(unsafe) let results = sums
  return Times(100) {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var (a, b) = (SIMD8<UInt64>.zero, SIMD8<UInt64>.zero)
      for index in stride(from: thread * count / threads, to: (thread + 1) * count / threads - 1, by: 2) {
        a ^= source[index]
        b ^= source[index + 1]
      }
      results[thread] = (a ^ b).wrappedSum()
    }
  }
}

/// The same by the device, in its widest vectors.
func streamingRead(byteCount: Int, on device: Device) throws -> Times {
  let source = KernelSource(
    name: "streaming_read",
    text: """
      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void read(global const uint16 *memory, global uint16 *sums, uint count) {
        const uint part = get_group_id(0), parts = get_num_groups(0);
        uint16 a = 0, b = 0, c = 0, d = 0;
        for (uint i = count / parts * part; i + 3 < count / parts * (part + 1); i += 4) {
          a ^= memory[i];
          b ^= memory[i + 1];
          c ^= memory[i + 2];
          d ^= memory[i + 3];
        }
        sums[part] = a ^ b ^ c ^ d;
      }
      """)
  let kernel = try device.program(source).kernel("read")
  let parts = 4 * device.description.computeUnits
  let memory = try device.makeBuffer(copying: [UInt64](repeating: 1, count: byteCount / 8))
  let sums = try device.makeBuffer(byteCount: parts * 64)
  return try Times(100) {
    try device.enqueue(
      kernel, [.buffer(memory), .buffer(sums), .uint(UInt32(byteCount / 64))], groups: [parts], groupSize: [1])
    try device.finish()
  }
}

struct Document: Encodable {
  struct Search: Encodable {
    let name: String
    let one: Times
    let batch: Double?
    /// Squared distances of what the first queries found.
    let distances: [[UInt64]]
  }
  let count: Int
  let queries: Int
  let streamingRead: Double
  let searches: [Search]
}

func nearest(_ vectors: FeatureVectors, _ queries: FeatureVectors, threads: Int, device name: String) throws {
  let device = try DeviceSelection(name).open()
  // Both kinds alike, as the peers have it.
  let similarity = Similarity(contentWeight: 0.5, scale: DistanceScale(content: 1, appearance: 1))
  let factor = UInt64(similarity.contentFactor)
  let single = FeatureVectors(content: Array(queries.content[..<64]), appearance: Array(queries.appearance[..<50]))
  var byteRead = streamingRead(byteCount: vectors.count * FeatureVectors.byteCount, threads: threads).least
  var searches: [Document.Search] = []
  if let device {
    byteRead = min(
      byteRead, try streamingRead(byteCount: vectors.count * FeatureVectors.byteCount, on: device).least)
    let search = try OpenCLVectorSearch(vectors, device: device)
    // The first run builds the kernel.
    let few = try search.nearest(20, to: queries, by: similarity).prefix(20).map { $0.map { $0.key / factor } }
    _ = try search.nearest(20, to: single, by: similarity)
    let one = try Times(200) { _ = try search.nearest(20, to: single, by: similarity) }
    let batch = try Times(3) { _ = try search.nearest(20, to: queries, by: similarity) }
    searches.append(.init(name: device.description.name, one: one, batch: batch.least, distances: few))
  }
  let plain = SwiftVectorSearch(vectors, threads: threads)
  let few = FeatureVectors(
    content: Array(queries.content[..<(20 * 64)]), appearance: Array(queries.appearance[..<(20 * 50)]))
  let found = try plain.nearest(20, to: few, by: similarity).map { $0.map { $0.key / factor } }
  let one = try Times(5) { _ = try plain.nearest(20, to: single, by: similarity) }
  searches.append(.init(name: "plain Swift", one: one, batch: nil, distances: found))
  let document = Document(count: vectors.count, queries: queries.count, streamingRead: byteRead, searches: searches)
  print(String(decoding: try JSONEncoder().encode(document), as: UTF8.self))
}

func makeIndex(_ vectors: FeatureVectors, at path: BytePath) throws {
  let index = try LibraryIndex(writingTo: path, model: NetworkModel.kiano.identity)
  let conditions = LibraryIndex.FailureConditions(program: "", limits: "")
  var changes = try index.compare(roots: ["/synthetic"], conditions: conditions) { found in
    for number in 0..<vectors.count {
      found(
        ScannedFile(
          path: BytePath(String(format: "/synthetic/%05d/%08d.jpg", number / 100, number)),
          identity: FileIdentity(
            device: 1, inode: UInt64(number + 1), size: Int64(number + 1), modifiedNanoseconds: 1)))
    }
    return ScanSummary()
  }
  try index.apply(&changes)
  var after: Int64 = 0
  while true {
    let files = try index.filesToRead(after: after, limit: 4096)
    guard let last = files.last else { break }
    after = last.number
    try index.record(
      files.map { pending in
        let vector = vectors[Int(pending.number) - 1]
        let content = NewContent(
          hash: ContentHash(high: 1, low: UInt64(pending.number)),
          facts: ContentFacts(format: .jpeg, width: 4000, height: 3000),
          vector: Array(vector.content) + vector.appearance, thumbnail: [0], halfThumbnail: [0])
        return ReadFile(number: pending.number, file: pending.file, outcome: .picture(content))
      }, in: &changes)
  }
  index.close()
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("nearest", 6):
  try nearest(
    try read(arguments[2]), try read(arguments[3]), threads: Int(arguments[4]) ?? 1, device: arguments[5])
case ("index", 4): try makeIndex(try read(arguments[2]), at: BytePath(arguments[3]))
default: fail("usage: search-benchmark nearest VECTORS QUERIES THREADS DEVICE | index VECTORS INDEX")
}
