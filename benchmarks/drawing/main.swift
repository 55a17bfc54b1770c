import Foundation
import Imaging
import Sorting

@testable import Atlas

/// Draws the pyramid of a map whose pictures are cut out of photos, and encodes the same sheets alone. Each line that it
/// prints is a stage and its milliseconds.

/// With `map` behind them it writes a whole map instead, with random vectors.
guard (4...5).contains(CommandLine.arguments.count), let count = Int(CommandLine.arguments[3]) else {
  FileHandle.standardError.write(Data("usage: drawing-benchmark PHOTOS FOLDER COUNT [map]\n".utf8))
  exit(2)
}
let photos = BytePath(CommandLine.arguments[1])
let folder = BytePath(CommandLine.arguments[2])
let threads = AvailableProcessors.count

/// Thumbnails of the photos, and of the same mirrored and shifted, so that no two are equal.
func makeThumbnails(_ count: Int) throws -> [(full: [UInt8], half: [UInt8])] {
  let workspace = DecodingWorkspace()
  let encoder = try ThumbnailEncoder()
  let files = try FileSystem.names(in: photos).filter { $0.suffix(4).elementsEqual(".jpg".utf8) }
    .sorted { $0.lexicographicallyPrecedes($1) }
  let pictures = files.compactMap {
    try? PictureDecoder().decode(fileAt: photos.appending($0), workspace: workspace).thumbnail
  }
  return try (0..<count).map { index in
    var image = pictures[index % pictures.count]
    let shift = index / pictures.count * 3 * 5 * image.width % image.pixels.count
    image = RGBImage(
      width: image.width, height: image.height, pixels: Array(image.pixels[shift...] + image.pixels[..<shift]))
    return (try encoder.encode(image), try encoder.encode(image.halved()))
  }
}

/// Processor time of all threads so far, in milliseconds.
func processorTime() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let elapsed = (ContinuousClock.now - start).components
  return Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) * 1e-15
}

/// What encoding the sheets in a folder takes, with all threads at it, in milliseconds and in those of processor time.
func encoding(_ pyramid: Pyramid) throws -> (wall: Double, processor: Double) {
  let sheets = pyramid.levels.flatMap { level in
    (0..<pyramid.sheetColumns(level)).flatMap { x in
      (0..<pyramid.sheetRows(level)).map { Pyramid.Sheet(level: level, x: x, y: $0) }
    }
  }
  var (wall, processor) = (0.0, 0.0)
  // In portions, since all of them would fill the memory.
  for first in stride(from: 0, to: sheets.count, by: 64) {
    let workspace = DecodingWorkspace()
    let images = try sheets[first..<min(first + 64, sheets.count)].map {
      try PictureDecoder().decodeWhole(FileSystem.read(folder.appending($0.name)), workspace: workspace)
    }
    let before = processorTime()
    wall += milliseconds {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        let encoder = try! JPEGEncoder()
        for index in stride(from: thread, to: images.count, by: threads) { _ = try! encoder.encode(images[index]) }
      }
    }
    processor += processorTime() - before
  }
  return (wall, processor)
}

let grid = Grid(fitting: count)
let arrangement = Arrangement.random(count, on: grid, seed: 1)
let files = try makeThumbnails(count)
let thumbnails = MapThumbnails(full: { files[$0].full }, half: { files[$0].half })
if CommandLine.arguments.last == "map" {
  var random = SystemRandomNumberGenerator()
  var contents = MapContents(
    programVersion: "benchmark", arrangement: arrangement,
    pictures: (0..<count).map {
      MapPicture(
        path: BytePath("/photos/\(2000 + $0 % 25)/holiday \($0 / 500)/IMG_\($0).jpg"), width: 4000, height: 3000,
        takenAt: "2021-07-04T12:34:56")
    }, thumbnails: thumbnails)
  contents.vectors = MapVectors(
    content: (0..<count * 64).map { _ in .random(in: 0...255, using: &random) }, contentDimensions: 64,
    appearance: (0..<count * 50).map { _ in .random(in: 0...255, using: &random) }, appearanceDimensions: 50)
  try MapWriter(destination: folder).write(contents)
  exit(0)
}
let drawing = PyramidDrawing(
  arrangement, thumbnails: thumbnails, into: folder)
let before = processorTime()
print(
  String(
    format: "pyramid\t%.1f",
    try milliseconds { try drawing.draw(threads: threads, isCancelled: { false }, progress: { _ in }) }))
let drawingTime = processorTime() - before
let (wall, processor) = try encoding(Pyramid(grid: grid))
print(String(format: "encoding\t%.1f", wall))
print(String(format: "pyramid, processor time\t%.1f", drawingTime))
print(String(format: "encoding, processor time\t%.1f", processor))
if let picture = ContactSheet(of: grid, width: 4096) {
  print(
    String(
      format: "map.png\t%.1f",
      try milliseconds {
        try picture.write(
          to: folder.appending("map.png"), from: folder, threads: threads, isCancelled: { false }, progress: { _ in })
      }))
}
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
print("peak memory, MB, the thumbnails included\t\(usage.ru_maxrss / 1024)")
