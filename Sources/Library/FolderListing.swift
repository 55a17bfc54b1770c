import Foundation
import Imaging

/// The names in one folder, sorted by their bytes, without `.` and `..`.
///
/// They lie in one block, so that a folder of a million files costs its names and little more.
struct FolderListing {
  private let bytes: [UInt8]
  /// Where each name is.
  private let ranges: [Range<UInt32>]

  /// - Throws: the system's error number.
  init(_ folder: BytePath) throws(SystemError) {
    guard let directory = folder.withCString({ opendir($0) }) else { throw SystemError(number: errno) }
    defer { closedir(directory) }
    var bytes: [UInt8] = []
    var ranges: [Range<UInt32>] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
      if name.elementsEqual([0x2E]) || name.elementsEqual([0x2E, 0x2E]) { continue }
      let begin = UInt32(bytes.count)
      bytes.append(contentsOf: name)
      ranges.append(begin..<UInt32(bytes.count))
    }
    guard errno == 0 else { throw SystemError(number: errno) }
    bytes.withUnsafeBufferPointer { bytes in
      func slice(_ range: Range<UInt32>) -> Slice<UnsafeBufferPointer<UInt8>> {
        bytes[Int(range.lowerBound)..<Int(range.upperBound)]
      }
      ranges.sort { slice($0).lexicographicallyPrecedes(slice($1)) }
    }
    self.bytes = bytes
    self.ranges = ranges
  }

  var count: Int { ranges.count }

  subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[Int(ranges[index].lowerBound)..<Int(ranges[index].upperBound)]
  }

  func contains(_ name: StaticString) -> Bool {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].elementsEqual(name)
  }
}

/// An error number of the system.
struct SystemError: Error {
  let number: Int32
}
