import Features
import Imaging

/// Decodes files on all cores and hands over what the network sees of them, some pictures at a time.
struct InputBatches {
  var ingestion: IngestionSettings
  let description: NetworkDescription
  let threads: Int
  let cancellation: Cancellation

  /// Pictures that go through the network at once.
  private static let count = 32

  /// - Parameters:
  ///   - paths: the files.
  ///   - failed: told, in order, which of `paths` can't be read.
  ///   - progress: told how many of them are done.
  ///   - body: takes the places in `paths` of some pictures, in order, and their pixels one after the other.
  func forEach(
    _ paths: [BytePath], failed: (Int, ImagingError) -> Void, progress: (Int) -> Void = { _ in },
    _ body: ([Int], [UInt8]) throws -> Void
  ) throws {
    if paths.isEmpty { return }
    var options = ingestion.decoding
    options.inputSide = description.inputSize
    let decoder = ParallelDecoder(
      decoder: PictureDecoder(options: options), isolation: ingestion.isolation, threadCount: min(threads, paths.count))
    let cancellation = cancellation
    var (places, inputs): ([Int], [UInt8]) = ([], [])
    try decoder.decode(paths, isCancelled: { cancellation.isRequested }) { place, result throws in
      switch result {
      case .success(let picture):
        places.append(place)
        inputs += picture.input.pixels
      case .failure(let error): failed(place, error)
      }
      if places.count == Self.count {
        try body(places, inputs)
        places.removeAll(keepingCapacity: true)
        inputs.removeAll(keepingCapacity: true)
      }
      progress(place + 1)
    }
    if !places.isEmpty { try body(places, inputs) }
  }
}
