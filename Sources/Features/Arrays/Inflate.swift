import CZlib

/// The bytes of a deflated zip member.
///
/// - Parameters:
///   - count: How many there are, as the archive says.
///   - name: The member, for errors.
/// - Throws: ``ModelFileError`` where the data isn't what deflate makes of so many bytes.
func inflated(_ data: ArraySlice<UInt8>, count: Int, name: String) throws -> [UInt8] {
  // Deflate makes at most 1,032 bytes of one (zlib's technical details), so that a small file can't ask for much memory.
  guard count / 1032 <= data.count else {
    throw ModelFileError.malformed(name, "says that it is larger than it can be")
  }
  var stream = z_stream()
  // Negative: without zlib's own header, as zip archives have it. The macro of this name doesn't import.
  guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
    throw ModelFileError.unsupported(name, "zlib can't be used")
  }
  defer { inflateEnd(&stream) }
  var isWhole = false
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
    data.withUnsafeBufferPointer { input in
      // zlib doesn't write to its input, though it says so.
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(count)
      isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0
    }
    initialized = isWhole ? count : 0
  }
  guard isWhole else { throw ModelFileError.malformed(name, "is damaged; copy or download the file again") }
  return bytes
}

/// The checksum that zip archives keep of a member's bytes.
func crc32(of bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
}
