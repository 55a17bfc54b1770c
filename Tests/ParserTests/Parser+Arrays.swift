import CZlib

@testable import Features

extension Parser {
  static let arrays: [Parser] = [
    Parser(name: "npy", samples: [NPYArray(shape: [2, 3], [1, 2, 3, 4, 5, 6] as [Float]).encoded(), columnMajor]) {
      guard let array = try? NPYArray(parsing: $0, name: "a") else { return }
      precondition(array.floats.count == array.count && array.shape.reduce(1, *) == array.count)
      _ = array.integers
    },
    Parser(name: "npz", samples: [archive(deflates: false), archive(deflates: true)]) { bytes in
      guard let archive = try? NPZArchive(parsing: bytes) else { return }
      for name in archive.names { _ = try? archive.tensor(name) }
    },
    Parser(name: "safetensors", samples: [safetensors]) { bytes in
      guard let file = try? Safetensors(parsing: bytes) else { return }
      for name in file.names { _ = try? file.tensor(name) }
    },
  ]

  private static func number(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static let columnMajor: [UInt8] = {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }"
    return [0x93] + Array("NUMPY".utf8) + [1, 0] + number(header.utf8.count, 2) + Array(header.utf8) + Array(1...6)
  }()

  /// Two members as `numpy.savez` writes them, or `numpy.savez_compressed`.
  private static func archive(deflates: Bool) -> [UInt8] {
    var (file, directory): ([UInt8], [UInt8]) = ([], [])
    for name in ["a.npy", "b.npy"] {
      let data = NPYArray(shape: [2], [1, 2] as [Float]).encoded()
      let stored = deflates ? deflated(data) : data
      let common =
        number(0, 2) + number(deflates ? 8 : 0, 2) + number(0, 4) + number(Int(crc32(of: data[...])), 4)
        + number(stored.count, 4) + number(data.count, 4) + number(name.utf8.count, 2)
      directory += number(0x0201_4B50, 4) + number(20, 4) + common + number(0, 12) + number(file.count, 4)
      directory += Array(name.utf8)
      file += number(0x0403_4B50, 4) + number(20, 2) + common + number(0, 2) + Array(name.utf8) + stored
    }
    return file + directory + number(0x0605_4B50, 4) + number(0, 4) + number(2, 2) + number(2, 2)
      + number(directory.count, 4) + number(file.count, 4) + number(0, 2)
  }

  private static func deflated(_ data: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(data.count))
    var result = [UInt8](repeating: 0, count: Int(count))
    precondition(compress(&result, &count, data, UInt(data.count)) == Z_OK)
    // Without zlib's head and checksum, as zip archives have it.
    return Array(result[2..<Int(count) - 4])
  }

  private static let safetensors: [UInt8] = {
    let header = """
      {"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},\
      "h":{"dtype":"F16","shape":[1],"data_offsets":[8,10]}}
      """
    return number(header.utf8.count, 8) + Array(header.utf8) + Array(0..<10)
  }()
}
