import Compute
import TestSupport
import Testing

@testable import Sorting

struct SwiftSorterTests {
  @Test(arguments: Problem.random(40, maximumSide: 17))
  func sortIsAPermutation(_ problem: Problem) throws {
    let arrangement = try SwiftSorter(threads: 2).sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start)
    let items = arrangement.items.filter { $0 != Arrangement.hole }
    #expect(items.sorted() == (0..<Int32(problem.count)).map { $0 })
  }

  @Test(arguments: Problem.random(12, maximumSide: 20))
  func threadsDoNotMatter(_ problem: Problem) throws {
    let one = try SwiftSorter(threads: 1).sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start)
    let five = try SwiftSorter(threads: 5).sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start)
    #expect(one == five)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func tinySetsAreSorted(_ count: Int) throws {
    let vectors = PackedVectors.random(count: count, dimensions: 3, seed: 1)
    for grid in [Grid(fitting: count), Grid(columns: max(count, 1), rows: 1), Grid(columns: 1, rows: max(count, 1))] {
      let arrangement = try SwiftSorter(threads: 1).sort(vectors, on: grid)
      #expect(Set(arrangement.items).subtracting([Arrangement.hole]).count == count)
    }
  }

  @Test func equalVectorsAreSorted() throws {
    let vectors = PackedVectors(count: 100, dimensions: 64, bytes: [UInt8](repeating: 200, count: 6400))
    let arrangement = try SwiftSorter(threads: 2).sort(vectors, on: Grid(fitting: 100))
    #expect(Set(arrangement.items).count == 100)
  }

  @Test func seedsGiveOtherMaps() throws {
    let vectors = PackedVectors.random(count: 64, dimensions: 3, seed: 1)
    var settings = SortingSettings()
    let first = try SwiftSorter(threads: 1).sort(vectors, on: Grid(fitting: 64), settings: settings)
    settings.seed = 1
    let second = try SwiftSorter(threads: 1).sort(vectors, on: Grid(fitting: 64), settings: settings)
    #expect(first != second)
    #expect(first.checksum != second.checksum)
  }

  @Test func progressEndsTheSort() throws {
    let vectors = PackedVectors.random(count: 64, dimensions: 3, seed: 1)
    let result = try SwiftSorter(threads: 1).sort(
      vectors, on: Grid(fitting: 64), settings: SortingSettings(), from: .random
    ) {
      $0 < 0.5
    }
    #expect(result == nil)
  }

  @Test func twoColoursPart() throws {
    // 8 x 8 black and white: after the sort most neighbours are of one colour.
    let vectors = PackedVectors(
      count: 64, dimensions: 1, bytes: (0..<64).map { $0 % 2 == 0 ? 0 : 255 })
    let arrangement = try SwiftSorter(threads: 1).sort(vectors, on: Grid(columns: 8, rows: 8))
    let alike = (0..<64).filter { cell in
      arrangement.items[cell] % 2 == arrangement.items[cell / 8 * 8 + (cell + 1) % 8] % 2
    }
    #expect(alike.count >= 44)
  }
}

@Suite(.enabled(if: OpenCLDevice.exists, "no OpenCL device"), .deviceThread)
struct SorterKernelTests {
  let device = OpenCLDevice.shared!

  @Test(
    arguments: Problem.random(OpenCLDevice.isInterpreter ? 6 : 30, maximumSide: OpenCLDevice.isInterpreter ? 5 : 40))
  func devicesAgreeCellForCell(_ problem: Problem) throws {
    let expected = try SwiftSorter(threads: 2).sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start)
    for form in SortingForm.allCases {
      // The second limit splits the buffers of vectors with more than 16 dimensions.
      let limits = [nil, problem.grid.cellCount * 48]
      for limit in OpenCLDevice.isInterpreter ? [limits[Int(problem.settings.seed) / 2 % 2]] : limits {
        let sorter = OpenCLSorter(device: device, form: form, limit: limit)
        let sorted = try sorter.sort(
          problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start)
        #expect(sorted == expected, "\(form), at most \(limit ?? 0) bytes")
      }
    }
  }

  @Test(
    .disabled(if: OpenCLDevice.isInterpreter, "the same kernels as above, many times over"),
    arguments: Problem.random(12, maximumSide: 40))
  func anySorterGoesOnFromWhereADeviceWas(_ problem: Problem) throws {
    var checkpoints: [SortingStart] = []
    let form = SortingForm.allCases[Int(problem.settings.seed) % 2]
    let sorter = OpenCLSorter(device: device, form: form, reduction: 1, checkpointInterval: .zero)
    let whole = try sorter.sort(
      problem.vectors, on: problem.grid, settings: problem.settings, from: problem.start, progress: { _ in true },
      checkpoint: { checkpoints.append($0) })
    for (index, checkpoint) in checkpoints.enumerated() {
      let (vectors, settings) = (problem.vectors, problem.settings)
      let sorter: any GridSorter = index % 2 == 0 ? sorter : SwiftSorter(threads: 2)
      #expect(try sorter.sort(vectors, on: problem.grid, settings: settings, from: checkpoint) == whole)
    }
  }

  @Test func cellsThatLackAnItemAreNotTaken() {
    let plan = SortingPlan(
      vectors: .random(count: 3, dimensions: 2, seed: 1), grid: Grid(columns: 2, rows: 2), settings: SortingSettings())
    #expect(plan.holdsEverything([2, 3, 0, 1]) && plan.holdsEverything([3, 2, 1, 0]))
    for cells: [Int32] in [[0, 1, 1, 3], [0, 1, 3, 3], [0, 1, 2, 4], [-1, 0, 1, 2]] {
      #expect(!plan.holdsEverything(cells))
    }
  }

  @Test(
    arguments: Problem.random(OpenCLDevice.isInterpreter ? 12 : 60, maximumSide: OpenCLDevice.isInterpreter ? 5 : 40))
  func filtersAgreeWithTheirDefinitions(_ problem: Problem) throws {
    let plan = SortingPlan(
      vectors: problem.vectors, grid: problem.grid, settings: problem.settings, start: problem.start)
    if plan.schedule.steps.isEmpty { return }
    let radii = [0, 1, 2, problem.grid.columns / 2, problem.grid.columns + problem.grid.rows]
    for window in radii.map({ Step.Window.box(radius: $0) }) + [.cross] {
      let map = WorkingMap(plan: plan)
      map.filter(window, threads: 1)
      for form in SortingForm.allCases {
        // All chunks in one slice, and each in one of its own as far as there are four.
        for limit in [Int.max, 1] {
          let sort = try DeviceSort(plan: plan, device: device, form: form, limit: limit)
          try sort.runFilter(window)
          let chunked = try sort.slices.flatMap {
            try $0.filtered.read(UInt16.self, count: problem.grid.cellCount * $0.chunks.count * plan.chunk)
          }
          let cellCount = problem.grid.cellCount
          let actual = (0..<map.filtered.count).map { index in
            let (cell, d) = index.quotientAndRemainder(dividingBy: plan.dimensions)
            return Int16(chunked[(d / plan.chunk * cellCount + cell) * plan.chunk + d % plan.chunk])
          }
          #expect(actual == Array(map.filtered), "\(window), \(form), at most \(limit) bytes")
        }
      }
    }
  }

  // oclgrind takes half a minute for each of the larger groups.
  @Test(arguments: [UInt8(0), 255], OpenCLDevice.isInterpreter ? [16] : SortingSettings.groupSizes)
  func extremeVectorsDoNotOverflow(_ value: UInt8, groupSize: Int) throws {
    // All but one vector at one end of the range, the other at the opposite end, in all dimensions there can be.
    let side = OpenCLDevice.isInterpreter ? 4 : 24
    var bytes = [UInt8](repeating: value, count: side * side * 128)
    bytes.replaceSubrange(0..<128, with: repeatElement(255 - value, count: 128))
    let vectors = PackedVectors(count: side * side, dimensions: 128, bytes: bytes)
    var settings = SortingSettings()
    settings.groupSize = groupSize
    let grid = Grid(columns: side, rows: side)
    let expected = try SwiftSorter(threads: 2).sort(vectors, on: grid, settings: settings)
    for form in SortingForm.allCases {
      #expect(try OpenCLSorter(device: device, form: form).sort(vectors, on: grid, settings: settings) == expected)
    }
  }
  @Test(.enabled(if: !OpenCLDevice.isInterpreter, "takes an interpreter hours"))
  func devicesAgreeOnALargeMap() throws {
    let vectors = PackedVectors.clustered(count: 65_536, dimensions: 16, seed: 2)
    let grid = Grid(fitting: vectors.count)
    var settings = SortingSettings()
    (settings.decay, settings.crossSteps) = (0.6, 2)
    let expected = try SwiftSorter(threads: 2).sort(vectors, on: grid, settings: settings)
    for form in SortingForm.allCases {
      #expect(try OpenCLSorter(device: device, form: form).sort(vectors, on: grid, settings: settings) == expected)
    }
  }

  @Test(.enabled(if: !OpenCLDevice.isInterpreter, "takes an interpreter hours"))
  func sumsOfTheLargestWindowFit() throws {
    // 2^24 items of 255, but for one: the sum is 2^32 less 2^24 and 255.
    let grid = Grid(columns: 4096, rows: 4096)
    var bytes = [UInt8](repeating: 255, count: grid.cellCount)
    bytes[5] = 0
    let vectors = PackedVectors(count: grid.cellCount, dimensions: 1, bytes: bytes)
    let start = Arrangement(grid: grid, items: (0..<Int32(grid.cellCount)).map { $0 })
    var settings = SortingSettings()
    settings.firstRadius = 1
    let plan = SortingPlan(
      vectors: vectors, grid: grid, settings: settings, start: SortingStart(arrangement: start))
    for form in SortingForm.allCases {
      let sort = try DeviceSort(plan: plan, device: device, form: form, limit: .max)
      try sort.runFilter(.box(radius: 2048))
      let filtered = try sort.slices[0].filtered.read(UInt16.self, count: grid.cellCount * plan.chunk)
      let wrong = stride(from: 0, to: filtered.count, by: plan.chunk).filter { filtered[$0] != 4080 }
      #expect(wrong.isEmpty, "\(form)")
    }
    let map = WorkingMap(plan: plan)
    BoxFilter(map: map, radius: 2048).run(threads: 2)
    #expect(stride(from: 0, to: map.filtered.count, by: plan.chunk).allSatisfy { map.filtered[$0] == 4080 })
  }

  @Test(.enabled(if: !OpenCLDevice.isInterpreter, "takes an interpreter minutes"))
  func smallBuffersDoNotMatter() throws {
    let side = 40
    let vectors = PackedVectors.clustered(count: side * side - 3, dimensions: 128, seed: 4)
    let grid = Grid(columns: side, rows: side)
    var settings = SortingSettings()
    (settings.groupSize, settings.decay, settings.crossSteps) = (16, 0.7, 2)
    let expected = try SwiftSorter(threads: 2).sort(vectors, on: grid, settings: settings)
    for form in SortingForm.allCases {
      // Two slices; three, the last with fewer chunks; four.
      for chunks in [4, 3, 1] {
        let limit = chunks * 16 * 2 * grid.cellCount
        let plan = SortingPlan(vectors: vectors, grid: grid, settings: settings)
        let slices = try DeviceSlice.slices(of: plan, limit: limit, device: device)
        #expect(slices.count == [4: 2, 3: 3, 1: 4][chunks])
        let sorter = OpenCLSorter(device: device, form: form, limit: limit)
        #expect(try sorter.sort(vectors, on: grid, settings: settings) == expected)
      }
    }
  }
}
