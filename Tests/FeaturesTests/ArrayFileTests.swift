import Foundation
import Testing

@testable import Features

struct NPYArrayTests {
  @Test func writingThenReadingIsTheIdentity() throws {
    let arrays = [
      NPYArray(shape: [2, 3], [1, 2, 3, 4, 5, 255] as [UInt8]),
      NPYArray(shape: [3], [-1, 0, .max] as [Int32]),
      NPYArray(shape: [1, 1, 2], [-1.5, .infinity] as [Float]),
      NPYArray(shape: [], [7] as [Float]),
      NPYArray(shape: [0, 50], [] as [UInt8]),
    ]
    for array in arrays {
      let encoded = array.encoded()
      #expect((encoded.count - array.bytes.count) % 64 == 0)
      #expect(try NPYArray(parsing: encoded, name: "a") == array)
    }
    #expect(arrays[0].integers == [1, 2, 3, 4, 5, 255])
    #expect(arrays[1].integers == [-1, 0, Int(Int32.max)])
    #expect(arrays[2].floats == [-1.5, .infinity])
    #expect(arrays[2].integers == nil)
  }

  @Test func columnMajorIsTurned() throws {
    let bytes = npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", [1, 4, 2, 5, 3, 6])
    #expect(try NPYArray(parsing: bytes, name: "a").bytes == [1, 2, 3, 4, 5, 6])
  }

  @Test func elementTypesAreRead() throws {
    func read(_ type: String, _ data: [UInt8]) throws -> NPYArray {
      try NPYArray(parsing: npy("{'descr': '\(type)', 'fortran_order': False, 'shape': (1,), }", data), name: "a")
    }
    #expect(try read("<u2", [1, 2]).integers == [513])
    #expect(try read("|i1", [255]).integers == [-1])
    #expect(try read("<i8", [254, 255, 255, 255, 255, 255, 255, 255]).integers == [-2])
    #expect(try read("<u8", [255, 255, 255, 255, 255, 255, 255, 255]).integers == nil)
    #expect(try read("<f8", [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]).floats == [1.5])
    #expect(try read("<f2", [0, 0x3E]).floats == [1.5])
  }

  @Test func halvesAreRead() {
    let known: [(UInt16, Float)] = [
      (0x0000, 0), (0x3C00, 1), (0xC000, -2), (0x7BFF, 65504), (0x0001, 0x1p-24), (0x03FF, 0x3FFp-24),
      (0x0400, 0x1p-14), (0x7C00, .infinity), (0xFC00, -.infinity),
    ]
    for (bits, value) in known { #expect(Float(halfBits: bits) == value) }
    #expect(Float(halfBits: 0x7E00).isNaN)
  }

  @Test(arguments: [
    "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 4), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
    "{'descr': '<f4', 'fortran_order': False, }",
    "{'fortran_order': False, 'shape': (1,), }",
    "", "{", "'shape': (1",
  ])
  func badHeadersAreErrors(header: String) {
    #expect(throws: ModelFileError.self) { try NPYArray(parsing: npy(header, [0, 0, 0, 0]), name: "a") }
  }

  @Test func everyCutIsAnError() {
    let whole = NPYArray(shape: [2], [1, 2] as [Float]).encoded()
    for count in 0..<whole.count {
      #expect(throws: ModelFileError.self) { try NPYArray(parsing: Array(whole[..<count]), name: "a") }
    }
  }

  private func npy(_ header: String, _ data: [UInt8]) -> [UInt8] {
    [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + data
  }
}

struct NPZArchiveTests {
  @Test func storedMembersAreRead() throws {
    let array = NPYArray(shape: [3], [1, 2, 3] as [UInt8])
    let archive = try NPZArchive(parsing: zip(["a.b.npy": array.encoded(), "note.txt": [1]]))
    #expect(archive.names == ["a.b"])
    #expect(archive["a.b"] == array)
    #expect(try archive.tensor("a.b") == Tensor(shape: [3], values: [1, 2, 3]))
    #expect(throws: ModelFileError.missing("c")) { try archive.tensor("c") }
  }

  @Test func otherCompressionsAreNamed() {
    #expect(
      throws: ModelFileError.unsupported(
        "a", "is compressed in a way that is not read; write the file with numpy.savez_compressed")
    ) {
      try NPZArchive(parsing: zip(["a.npy": [1]], method: 12))
    }
  }

  @Test func everyCutIsAnError() {
    let whole = zip(["a.npy": NPYArray(shape: [1], [1] as [UInt8]).encoded()])
    for count in 0..<whole.count {
      #expect(throws: ModelFileError.self) { try NPZArchive(parsing: Array(whole[..<count])) }
    }
  }

  @Test func damageIsAnErrorOrAnotherValueButNoCrash() {
    let whole = zip(["a.npy": NPYArray(shape: [1], [1] as [UInt8]).encoded()])
    for index in whole.indices {
      for value in [0, 1, 127, 255] as [UInt8] {
        var damaged = whole
        damaged[index] = value
        _ = try? NPZArchive(parsing: damaged)
      }
    }
  }

  /// A zip archive as Python's zipfile would write it, but for the checksums, which aren't read.
  private func zip(_ members: KeyValuePairs<String, [UInt8]>, method: UInt16 = 0) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    var (file, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, data) in members {
      let sizes = bytes(crc32(of: data[...])) + bytes(UInt32(data.count)) + bytes(UInt32(data.count))
      let common = bytes(UInt16(0)) + bytes(method) + bytes(UInt32(0)) + sizes + bytes(UInt16(name.utf8.count))
      directory += bytes(UInt32(0x0201_4B50)) + bytes(UInt32(20)) + common + bytes(UInt32(0)) + bytes(UInt32(0))
      directory += bytes(UInt32(0)) + bytes(UInt32(file.count)) + Array(name.utf8)
      file += bytes(UInt32(0x0403_4B50)) + bytes(UInt16(20)) + common + bytes(UInt16(0)) + Array(name.utf8) + data
    }
    let end =
      bytes(UInt32(0x0605_4B50)) + bytes(UInt32(0)) + bytes(UInt16(members.count)) + bytes(UInt16(members.count))
      + bytes(UInt32(directory.count)) + bytes(UInt32(file.count)) + bytes(UInt16(0))
    return file + directory + end
  }
}

struct SafetensorsTests {
  @Test func floatsAndHalvesAreRead() throws {
    let header = """
      {"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},\
      "h":{"dtype":"F16","shape":[1],"data_offsets":[8,10]}}
      """
    let file = try Safetensors(parsing: file(header, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0x38]))
    #expect(file.names == ["h", "w"])
    #expect(try file.tensor("w") == Tensor(shape: [1, 2], values: [1, -2]))
    #expect(try file.tensor("h") == Tensor(shape: [1], values: [0.5]))
    #expect(throws: ModelFileError.missing("x")) { try file.tensor("x") }
  }

  @Test(arguments: [
    #"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#,
    #"{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}"#,
    #"{"w":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#,
    #"{"w":{"dtype":"F32","shape":[-1],"data_offsets":[4,0]}}"#,
    #"{"w":{"dtype":"F32","shape":[1],"data_offsets":[9223372036854775804,-9223372036854775808]}}"#,
    #"{"w":{"dtype":"F32","shape":[1]}}"#,
    #"{"w":{"dtype":"I64","shape":[1],"data_offsets":[0,4]}}"#,
    #"{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,8]}}"#,
    #"{"w":3}"#, "[]", "",
  ])
  func badHeadersAreErrors(header: String) {
    #expect(throws: ModelFileError.self) { try Safetensors(parsing: file(header, [0, 0, 0, 0])) }
  }

  @Test func otherTypesAreReadOrStandInNoWay() throws {
    let header = """
      {"d":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"n":{"dtype":"I64","shape":[],"data_offsets":[8,16]},\
      "b":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]}}
      """
    let data: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
    let file = try Safetensors(parsing: file(header, data))
    #expect(try file.tensor("d").values == [1.5] && file.tensor("n").values == [7])
    #expect(file.shape("b") == [2])
    #expect(throws: ModelFileError.unsupported("b", "elements of type BF16 are not read; convert to F32")) {
      try file.tensor("b")
    }
  }

  @Test func badLengthsAreErrors() {
    for length in [[], [1, 0, 0], [UInt8](repeating: 255, count: 8), [9, 0, 0, 0, 0, 0, 0, 0x7F]] as [[UInt8]] {
      #expect(throws: ModelFileError.self) { try Safetensors(parsing: length) }
    }
  }

  @Test func embeddedModelIsWhole() {
    #expect(ContentModel.kiano.projection.inputCount == 1280)
    #expect(ContentModel.kiano.weights.layers.count == ContentModel.kiano.description.layers.count)
  }

  private func file(_ header: String, _ data: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) } + Array(header.utf8) + data
  }
}
