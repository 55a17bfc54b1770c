import Compute
import Foundation

/// Compares vectors on an OpenCL device: the same results as `SwiftVectorSearch`.
///
/// What a kernel finds below a limit goes to one list, which the processor sorts. For the nearest neighbours the limit of
/// a query is the distance of the last of those found so far, so the library is gone through in pieces, small ones first.
/// Where a list overflows, its piece is done again in halves.
public final class OpenCLVectorSearch: VectorSearch {
  /// Which kernel, and how it is built.
  struct Form: Sendable, Equatable {
    /// 0 for the kernel of processors.
    let lanes: Int
    /// Blocks at a time.
    let tile: Int
    /// Queries at a time, where there are many.
    let queries: Int
    /// Numbers in the list of what was found.
    var capacity = 1 << 20
    /// Queries in one launch.
    var batch = 1020
    /// Bytes of the library in one buffer.
    var sliceBytes = 1 << 30

    static let processor = Form(lanes: 0, tile: 4, queries: 4)
    static let lanes = Form(lanes: 64, tile: 1, queries: 1)

    static func standard(for kind: DeviceDescription.Kind) -> Form { kind == .cpu ? .processor : .lanes }
  }

  private let vectors: FeatureVectors
  private let device: Device
  private let form: Form
  private let slices: [Slice]
  /// For few queries, and for many.
  private let kernels: (one: Kernel, many: Kernel)
  private let queries: Buffer
  private let limits: Buffer
  private let count: Buffer
  private let found: Buffer
  private let lock = NSLock()

  /// Items in one buffer.
  private struct Slice {
    let items: Range<Int>
    let buffer: Buffer
  }

  /// A search in a library, whose vectors are copied to the device.
  /// - Parameter reduction: how often all buffers are halved, up to 4 times, where the device has little memory.
  /// - Throws: `ComputeError` where there is no room for them, or the kernel doesn't build.
  public convenience init(_ vectors: FeatureVectors, device: Device, reduction: Int = 0) throws(ComputeError) {
    var form = Form.standard(for: device.description.kind)
    let bytes = (vectors.count + 15) / 16 * SearchBlocks.byteCount
    form.sliceBytes = min(form.sliceBytes, bytes) >> reduction
    form.capacity >>= reduction
    form.batch >>= reduction
    try self.init(vectors, device: device, form: form)
  }

  init(_ vectors: FeatureVectors, device: Device, form: Form) throws(ComputeError) {
    self.vectors = vectors
    self.device = device
    self.form = form
    func kernel(queries: Int) throws(ComputeError) -> Kernel {
      if form.lanes > 0 {
        return try device.program(.embedded("search_lanes"), options: ["-DGROUP=\(form.lanes)"]).kernel("search")
      }
      return try device.program(.embedded("search"), options: ["-DTILE=\(form.tile)", "-DQUERIES=\(queries)"])
        .kernel("search")
    }
    kernels = (try kernel(queries: 1), try kernel(queries: form.queries))
    let room = Int(clamping: device.description.maximumAllocationBytes)
    let tileBytes = form.tile * SearchBlocks.byteCount
    let tiles = max(1, min(form.sliceBytes, room) / tileBytes)
    var slices: [Slice] = []
    for first in stride(from: 0, to: vectors.count, by: tiles * form.tile * 16) {
      let items = first..<min(first + tiles * form.tile * 16, vectors.count)
      let blocks = SearchBlocks(vectors, items, multiple: form.tile)
      let buffer = try device.makeBuffer(copying: blocks.words)
      slices.append(Slice(items: items, buffer: buffer))
    }
    self.slices = slices
    queries = try device.makeBuffer(of: UInt32.self, count: form.batch * SearchBlocks.queryStride)
    limits = try device.makeBuffer(of: UInt64.self, count: form.batch)
    count = try device.makeBuffer(of: UInt32.self, count: 1)
    found = try device.makeBuffer(of: SIMD4<UInt32>.self, count: form.capacity)
  }

  // MARK: - Nearest

  /// See `VectorSearch`.
  public func nearest(
    _ count: Int, to queries: FeatureVectors, by similarity: Similarity
  ) throws(ComputeError) -> [[Neighbour]] {
    lock.lock()
    defer { lock.unlock() }
    var results: [[Neighbour]] = []
    for first in stride(from: 0, to: queries.count, by: form.batch) {
      let batch = try upload(queries, first..<min(first + form.batch, queries.count), similarity)
      var lists = [NearestList](repeating: NearestList(limit: count), count: batch.count)
      // The first piece is all listed; each later one leaves a few times as many as are wanted.
      var piece = max(batch.count < 16 ? 2048 : 512, 2 * count)
      let growth = batch.count < 16 ? 64 : 4
      for slice in slices {
        var next = slice.items.lowerBound
        while next < slice.items.upperBound {
          let items = next..<min(next + piece, slice.items.upperBound)
          try addNearest(items, in: slice, batch, to: &lists)
          next = items.upperBound
          piece = roundedUp(next * (growth - 1))
        }
      }
      results += lists.map(\.sorted)
    }
    return results
  }

  private func addNearest(
    _ items: Range<Int>, in slice: Slice, _ batch: Batch, to lists: inout [NearestList]
  ) throws(ComputeError) {
    let bounds = lists.map(\.bound)
    guard let list = try run(items, in: slice, batch, limits: bounds, diagonal: Int.min) else {
      let (first, second) = halves(items, in: slice)
      try addNearest(first, in: slice, batch, to: &lists)
      return try addNearest(second, in: slice, batch, to: &lists)
    }
    for entry in list {
      lists[Int(entry.x)].append(
        Neighbour(key: UInt64(entry.w) << 32 | UInt64(entry.z), index: Int32(slice.items.lowerBound) + Int32(entry.y)))
    }
    let parts = min(lists.count, 64)
    lists.withUnsafeMutableBufferPointer { lists in
      // Each thread sorts lists of its own.
      nonisolated(unsafe) let lists = lists
      DispatchQueue.concurrentPerform(iterations: parts) { part in
        for query in part * lists.count / parts..<(part + 1) * lists.count / parts { lists[query].settle() }
      }
    }
  }

  // MARK: - Pairs

  /// See `VectorSearch`.
  public func forEachPair(
    from row: Int, within key: UInt64, by similarity: Similarity, _ body: ([VectorPair], Int) -> Bool
  ) throws(ComputeError) {
    lock.lock()
    defer { lock.unlock() }
    for first in stride(from: row, to: vectors.count, by: form.batch) {
      let rows = first..<min(first + form.batch, vectors.count)
      let batch = try upload(vectors, rows, similarity)
      var goesOn = true
      for slice in slices where slice.items.upperBound > first + 1 {
        let start = slice.items.lowerBound
        let skipped = max(first - start, 0) / (form.tile * 16) * (form.tile * 16)
        try addPairs(start + skipped..<slice.items.upperBound, in: slice, batch, first, key + 1) { pairs in
          if goesOn { goesOn = body(pairs, first) }
        }
        if !goesOn { return }
      }
      if !body([], rows.upperBound) { return }
    }
  }

  private func addPairs(
    _ items: Range<Int>, in slice: Slice, _ batch: Batch, _ first: Int, _ limit: UInt64, _ body: ([VectorPair]) -> Void
  ) throws(ComputeError) {
    let limits = [UInt64](repeating: limit, count: batch.count)
    guard let list = try run(items, in: slice, batch, limits: limits, diagonal: first - slice.items.lowerBound) else {
      let (lower, upper) = halves(items, in: slice)
      try addPairs(lower, in: slice, batch, first, limit, body)
      return try addPairs(upper, in: slice, batch, first, limit, body)
    }
    if list.isEmpty { return }
    body(
      list.map { entry in
        VectorPair(
          first: Int32(first) + Int32(entry.x), second: Int32(slice.items.lowerBound) + Int32(entry.y),
          key: UInt64(entry.w) << 32 | UInt64(entry.z))
      })
  }

  // MARK: - Launches

  /// Queries on the device.
  private struct Batch {
    let count: Int
    let similarity: Similarity
    /// How many go by at once: one where there are few.
    let atOnce: Int
    let kernel: Kernel

    var paddedCount: Int { (count + atOnce - 1) / atOnce * atOnce }
  }

  private func upload(
    _ vectors: FeatureVectors, _ range: Range<Int>, _ similarity: Similarity
  ) throws(ComputeError) -> Batch {
    let atOnce = range.count < form.queries ? 1 : form.queries
    let batch = Batch(
      count: range.count, similarity: similarity, atOnce: atOnce, kernel: atOnce == 1 ? kernels.one : kernels.many)
    try queries.write(SearchBlocks.queries(vectors, range, paddedTo: batch.paddedCount))
    return batch
  }

  /// Compares a batch with some items of a slice.
  /// - Returns: query, item of the slice, and key; nil where there were too many.
  private func run(
    _ items: Range<Int>, in slice: Slice, _ batch: Batch, limits bounds: [UInt64], diagonal: Int
  ) throws(ComputeError) -> [SIMD4<UInt32>]? {
    let start = items.lowerBound - slice.items.lowerBound
    let blocks = (items.count + 16 * form.tile - 1) / (16 * form.tile) * form.tile
    let tiles = blocks / form.tile
    // Some for each compute unit, so that an uneven share costs little.
    let run = max(1, tiles / (16 * device.description.computeUnits)) * form.tile
    try limits.write(bounds + [UInt64](repeating: 0, count: batch.paddedCount - batch.count))
    try count.write([UInt32(0)])
    let groups = form.lanes > 0 ? (items.count + form.lanes - 1) / form.lanes : (blocks + run - 1) / run
    try device.enqueue(
      batch.kernel,
      [
        .buffer(slice.buffer), .buffer(queries), .buffer(limits), .buffer(count), .buffer(found),
        .uint(batch.similarity.contentFactor), .uint(batch.similarity.appearanceFactor), .int(Int32(start / 16)),
        .int(Int32(blocks)), .int(Int32(run)), .int(Int32(items.upperBound - slice.items.lowerBound)),
        .int(Int32(batch.paddedCount)), .int(Int32(clamping: max(diagonal, -1 << 30))), .uint(UInt32(form.capacity)),
      ], groups: [groups], groupSize: [max(form.lanes, 1)])
    let total = Int(try count.read(UInt32.self, count: 1)[0])
    return total > form.capacity ? nil : try found.read(SIMD4<UInt32>.self, count: total)
  }

  private func roundedUp(_ items: Int) -> Int {
    let tile = form.tile * 16
    return (items + tile - 1) / tile * tile
  }

  private func halves(_ items: Range<Int>, in slice: Slice) -> (Range<Int>, Range<Int>) {
    let middle = items.lowerBound + roundedUp(items.count / 2)
    precondition(middle < items.upperBound, "the list has room for what one tile finds")
    return (items.lowerBound..<middle, middle..<items.upperBound)
  }
}

/// Vectors in the layout of `kernels/search.cl`.
struct SearchBlocks {
  static let contentRows = Projection.outputCount / 4
  static let appearanceRows = (AppearanceVector.count + 3) / 4
  static let rows = contentRows + appearanceRows + 2
  /// Bytes of 16 vectors.
  static let byteCount = rows * 64
  static let queryStride = 2 * rows - 2

  let words: [UInt32]

  /// - Parameter multiple: TILE, by which the number of blocks can be divided.
  init(_ vectors: FeatureVectors, _ items: Range<Int>, multiple: Int) {
    let count = ((items.count + 15) / 16 + multiple - 1) / multiple * multiple
    words = [UInt32](unsafeUninitializedCapacity: count * Self.rows * 16) { words, initialized in
      // Each thread fills blocks of its own.
      nonisolated(unsafe) let words = words
      let (tiles, width) = (count / multiple, multiple * 16)
      let parts = min(64, tiles)
      DispatchQueue.concurrentPerform(iterations: parts) { part in
        let mine = part * tiles / parts..<(part + 1) * tiles / parts
        words[mine.lowerBound * Self.rows * width..<mine.upperBound * Self.rows * width].initialize(repeating: 0)
        for tile in mine {
          for column in 0..<width where tile * width + column < items.count {
            let base = words.baseAddress! + tile * Self.rows * width + column
            let squares = Self.fill(vectors, items.lowerBound + tile * width + column) { base[$0 * width] = $1 }
            base[(Self.rows - 2) * width] = squares.content
            base[(Self.rows - 1) * width] = squares.appearance
          }
        }
      }
      initialized = count * Self.rows * 16
    }
  }

  /// The queries, and zeros to fill up.
  static func queries(_ vectors: FeatureVectors, _ range: Range<Int>, paddedTo count: Int) -> [UInt32] {
    var words = [UInt32](repeating: 0, count: count * queryStride)
    words.withUnsafeMutableBufferPointer { words in
      for (place, index) in range.enumerated() {
        let base = words.baseAddress! + place * queryStride
        let squares = fill(vectors, index) { row, word in
          base[2 * row] = word & 0xff00ff
          base[2 * row + 1] = word >> 8 & 0xff00ff
        }
        base[queryStride - 2] = squares.content
        base[queryStride - 1] = squares.appearance
      }
    }
    return words
  }

  /// Calls `set` with each row and four bytes of a vector; returns the squares.
  private static func fill(
    _ vectors: FeatureVectors, _ index: Int, _ set: (Int, UInt32) -> Void
  ) -> (content: UInt32, appearance: UInt32) {
    func fill(_ bytes: [UInt8], _ count: Int, _ first: Int) -> UInt32 {
      bytes.withUnsafeBufferPointer { bytes in
        var squares: UInt32 = 0
        for row in 0..<(count + 3) / 4 {
          var word: UInt32 = 0
          for offset in 0..<min(4, count - row * 4) {
            let byte = bytes[index * count + row * 4 + offset]
            word |= UInt32(byte) << UInt32(8 * offset)
            squares += UInt32(byte) * UInt32(byte)
          }
          set(first + row, word)
        }
        return squares
      }
    }
    return (
      fill(vectors.content, Projection.outputCount, 0),
      fill(vectors.appearance, AppearanceVector.count, contentRows)
    )
  }
}
