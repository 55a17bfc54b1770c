import Compute
import Features
import Sorting

/// What computes in a job: an OpenCL device, or plain Swift.
public struct ComputeChoice: Sendable {
  /// The device; nil for plain Swift.
  public let device: Device?
  /// How many threads plain Swift and the decoders use.
  public let threads: Int

  /// Opens what `selection` asks for.
  /// - Parameters:
  ///   - threads: how many threads to use.
  ///   - note: told why a device was passed over.
  /// - Throws: `EngineError` of kind `device` where it asks for a device that can't be used.
  public init(_ selection: DeviceSelection, threads: Int, note: (String) -> Void) throws(EngineError) {
    do throws(ComputeError) {
      device = try selection.open(note: note)
    } catch {
      throw EngineError(.device, "\(error)")
    }
    self.threads = threads
  }

  private init(device: Device?, threads: Int) {
    self.device = device
    self.threads = threads
  }

  /// The same without its device.
  var withoutDevice: ComputeChoice { ComputeChoice(device: nil, threads: threads) }

  /// What computes, for people: the device's name, or plain Swift and its threads.
  public var name: String {
    device?.description.name ?? "plain Swift, \(threads) \(threads == 1 ? "thread" : "threads")"
  }

  var sorter: any GridSorter {
    if let device { OpenCLSorter(device: device) } else { SwiftSorter(threads: threads) }
  }

  func extractor(_ model: ContentModel) throws -> any FeatureExtractor {
    if let device { return try OpenCLFeatureExtractor(model: model, device: device) }
    return SwiftFeatureExtractor(model: model, threadCount: threads)
  }
}
